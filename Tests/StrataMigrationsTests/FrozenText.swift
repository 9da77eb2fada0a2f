/// Canonical JSON as it was first released.
enum FrozenText {
    static let kennel = """
        {
          "database": {
            "sequences": [],
            "tables": [
              {
                "checks": [
                  {
                    "condition": {
                      "isOneOf": {
                        "column": "class",
                        "values": ["Dog", "Puppy"]
                      }
                    },
                    "name": "dog_class_check"
                  }
                ],
                "columns": [
                  {
                    "identity": {
                      "isAlways": false,
                      "maximum": 1099511627775,
                      "minimum": 1
                    },
                    "isGenerated": false,
                    "isNullable": false,
                    "name": "pk",
                    "type": "bigint"
                  },
                  {
                    "collation": "C",
                    "defaultExpression": "'Dog'::text",
                    "isGenerated": false,
                    "isNullable": false,
                    "name": "class",
                    "type": "text"
                  },
                  {
                    "collation": "C",
                    "isGenerated": false,
                    "isNullable": false,
                    "name": "name",
                    "type": "text"
                  },
                  {
                    "isGenerated": false,
                    "isNullable": true,
                    "name": "born",
                    "type": "timestamptz"
                  },
                  {
                    "collation": "C",
                    "isGenerated": false,
                    "isNullable": false,
                    "name": "coat",
                    "type": "text"
                  }
                ],
                "foreignKeys": [],
                "indexes": [
                  {
                    "columns": ["born"],
                    "isUnique": false,
                    "method": "btree",
                    "name": "dog_born_idx"
                  }
                ],
                "name": "dog",
                "primaryKey": {
                  "columns": ["pk"],
                  "name": "dog_pkey"
                },
                "uniques": [
                  {
                    "columns": ["name", "born"],
                    "isDeferrable": false,
                    "name": "dog_name_born_key"
                  }
                ]
              },
              {
                "checks": [],
                "columns": [
                  {
                    "isGenerated": false,
                    "isNullable": false,
                    "name": "pk",
                    "type": "bigint"
                  },
                  {
                    "isGenerated": false,
                    "isNullable": false,
                    "name": "weight",
                    "type": "bigint"
                  }
                ],
                "foreignKeys": [
                  {
                    "columns": ["pk"],
                    "name": "puppy_pk_fkey",
                    "onDelete": "CASCADE",
                    "referencedColumns": ["pk"],
                    "referencedTable": "dog"
                  }
                ],
                "indexes": [],
                "name": "puppy",
                "primaryKey": {
                  "columns": ["pk"],
                  "name": "puppy_pkey"
                },
                "uniques": []
              },
              {
                "checks": [],
                "columns": [
                  {
                    "identity": {
                      "isAlways": false,
                      "maximum": 1099511627775,
                      "minimum": 1
                    },
                    "isGenerated": false,
                    "isNullable": false,
                    "name": "pk",
                    "type": "bigint"
                  },
                  {
                    "collation": "C",
                    "isGenerated": false,
                    "isNullable": false,
                    "name": "code",
                    "type": "text"
                  },
                  {
                    "isGenerated": false,
                    "isNullable": true,
                    "name": "owner",
                    "type": "bigint"
                  }
                ],
                "foreignKeys": [
                  {
                    "columns": ["owner"],
                    "name": "toy_owner_fkey",
                    "onDelete": "CASCADE",
                    "referencedColumns": ["pk"],
                    "referencedTable": "dog"
                  }
                ],
                "indexes": [
                  {
                    "columns": ["owner"],
                    "isUnique": false,
                    "method": "btree",
                    "name": "toy_owner_idx"
                  }
                ],
                "name": "toy",
                "primaryKey": {
                  "columns": ["pk"],
                  "name": "toy_pkey"
                },
                "uniques": [
                  {
                    "columns": ["code"],
                    "isDeferrable": false,
                    "name": "toy_code_key"
                  }
                ]
              }
            ]
          },
          "entities": [
            {
              "attributes": [
                {
                  "column": "name",
                  "isOptional": false,
                  "name": "name",
                  "options": [],
                  "originalName": "title",
                  "type": "text",
                  "valueType": "String"
                },
                {
                  "column": "born",
                  "isOptional": true,
                  "name": "born",
                  "options": [],
                  "type": "timestamptz",
                  "valueType": "Date"
                },
                {
                  "cases": ["smooth", "wire"],
                  "column": "coat",
                  "defaultExpression": "'wire'::text",
                  "isOptional": false,
                  "name": "coat",
                  "options": [],
                  "type": "text",
                  "valueType": "Coat"
                }
              ],
              "discriminator": "Dog",
              "indexes": [
                {
                  "method": "btree",
                  "properties": ["born"]
                }
              ],
              "name": "Dog",
              "relationships": [
                {
                  "deleteRule": "cascade",
                  "destination": "Toy",
                  "inverse": "owner",
                  "isOptional": false,
                  "isToOne": false,
                  "maximumCount": 0,
                  "minimumCount": 0,
                  "name": "toys",
                  "storage": {
                    "inverseForeignKey": {
                      "column": "owner",
                      "table": "toy"
                    }
                  }
                }
              ],
              "table": "dog",
              "uniques": [
                ["name", "born"]
              ]
            },
            {
              "attributes": [
                {
                  "column": "weight",
                  "defaultExpression": "0",
                  "hashModifier": "grams",
                  "isOptional": false,
                  "name": "weight",
                  "options": [],
                  "type": "bigint",
                  "valueType": "Int"
                }
              ],
              "discriminator": "Puppy",
              "indexes": [],
              "name": "Puppy",
              "parent": "Dog",
              "relationships": [],
              "table": "puppy",
              "uniques": []
            },
            {
              "attributes": [
                {
                  "column": "code",
                  "isOptional": false,
                  "name": "code",
                  "options": ["unique"],
                  "type": "text",
                  "valueType": "String"
                }
              ],
              "discriminator": "Toy",
              "indexes": [],
              "name": "Toy",
              "relationships": [
                {
                  "deleteRule": "nullify",
                  "destination": "Dog",
                  "inverse": "toys",
                  "isOptional": true,
                  "isToOne": true,
                  "maximumCount": 0,
                  "minimumCount": 0,
                  "name": "owner",
                  "storage": {
                    "foreignKey": {
                      "column": "owner",
                      "table": "toy"
                    }
                  }
                }
              ],
              "table": "toy",
              "uniques": [
                ["code"]
              ]
            }
          ],
          "version": "1.2.0"
        }

        """
}
