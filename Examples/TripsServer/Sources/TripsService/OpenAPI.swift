import Hummingbird
import StrataHummingbird

extension TripsService {
    /// `GET /openapi.json` describes the routes for programs that make clients: OpenAPI 3.1.
    ///
    /// Written by hand, as routes say in code what they take. Tests see that it names each route, and each property of an answer.
    static func addDescription(to router: Router<BasicStrataRequestContext>) {
        router.get("openapi.json") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "application/json; charset=utf-8"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: description)))
        }
    }

    static let description = #"""
        {
          "openapi": "3.1.0",
          "info": {"title": "Trips", "version": "1",
            "description": "Trips of two kinds, with photos, a search, a report and live changes."},
          "security": [{}],
          "paths": {
            "/accounts": {
              "post": {
                "summary": "Makes an account; its token is shown this once.",
                "requestBody": {"required": true, "content": {"application/json": {"schema": {
                  "type": "object", "required": ["name"], "properties": {"name": {"type": "string", "minLength": 1, "maxLength": 100}}}}}},
                "responses": {
                  "201": {"description": "The account.",
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Account"}}}},
                  "409": {"$ref": "#/components/responses/Problem"}, "default": {"$ref": "#/components/responses/Problem"}}
              }
            },
            "/trips": {
              "get": {
                "summary": "Trips by their first day, in pages.",
                "parameters": [
                  {"name": "size", "in": "query", "schema": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20}},
                  {"name": "after", "in": "query", "description": "From a Link header.", "schema": {"type": "string"}},
                  {"name": "before", "in": "query", "description": "From a Link header.", "schema": {"type": "string"}}],
                "responses": {
                  "200": {"description": "A page.",
                    "headers": {"Link": {"description": "next and prev (RFC 8288).", "schema": {"type": "string"}}},
                    "content": {"application/json": {"schema": {"type": "array", "items": {"$ref": "#/components/schemas/TripInBrief"}}}}},
                  "400": {"$ref": "#/components/responses/Problem"}, "default": {"$ref": "#/components/responses/Problem"}}
              }
            },
            "/trips/business": {
              "post": {
                "summary": "Makes a business trip.", "security": [{"account": []}],
                "requestBody": {"required": true, "content": {"application/json": {"schema": {"allOf": [
                  {"$ref": "#/components/schemas/NewTrip"},
                  {"type": "object", "properties": {"perdiem": {"type": "number", "default": 0}}}]}}}},
                "responses": {
                  "201": {"$ref": "#/components/responses/Trip"}, "default": {"$ref": "#/components/responses/Problem"}}
              }
            },
            "/trips/personal": {
              "post": {
                "summary": "Makes a personal trip.", "security": [{"account": []}],
                "requestBody": {"required": true, "content": {"application/json": {"schema": {"allOf": [
                  {"$ref": "#/components/schemas/NewTrip"},
                  {"type": "object", "required": ["reason"],
                    "properties": {"reason": {"type": "string", "enum": ["family", "reunion", "wellness"]}}}]}}}},
                "responses": {
                  "201": {"$ref": "#/components/responses/Trip"}, "default": {"$ref": "#/components/responses/Problem"}}
              }
            },
            "/trips/{id}": {
              "parameters": [{"$ref": "#/components/parameters/id"}],
              "get": {
                "summary": "One trip.",
                "parameters": [{"name": "If-None-Match", "in": "header", "schema": {"type": "string"}}],
                "responses": {
                  "200": {"$ref": "#/components/responses/Trip"}, "304": {"description": "As the client has it."},
                  "404": {"$ref": "#/components/responses/Problem"}, "default": {"$ref": "#/components/responses/Problem"}}
              },
              "patch": {
                "summary": "Changes the properties that the body names.", "security": [{"account": []}],
                "parameters": [{"name": "If-Match", "in": "header", "schema": {"type": "string"},
                  "description": "The ETag that the client has: 412 when one of the named properties has changed since."}],
                "requestBody": {"required": true,
                  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/TripChanges"}}}},
                "responses": {
                  "200": {"$ref": "#/components/responses/Trip"},
                  "409": {"$ref": "#/components/responses/Problem"}, "412": {"$ref": "#/components/responses/Problem"},
                  "422": {"$ref": "#/components/responses/Problem"}, "default": {"$ref": "#/components/responses/Problem"}}
              },
              "delete": {
                "summary": "Deletes it, with its list and its photo.", "security": [{"account": []}],
                "parameters": [{"name": "If-Match", "in": "header", "required": true, "schema": {"type": "string"}}],
                "responses": {
                  "204": {"description": "It is gone."}, "412": {"$ref": "#/components/responses/Problem"},
                  "428": {"$ref": "#/components/responses/Problem"}, "default": {"$ref": "#/components/responses/Problem"}}
              }
            },
            "/trips/{id}/photo": {
              "parameters": [{"$ref": "#/components/parameters/id"}],
              "get": {
                "summary": "The trip's photo.",
                "responses": {
                  "200": {"description": "The photo.", "content": {
                    "image/jpeg": {"schema": {"type": "string", "format": "binary"}},
                    "image/png": {"schema": {"type": "string", "format": "binary"}},
                    "image/webp": {"schema": {"type": "string", "format": "binary"}}}},
                  "304": {"description": "As the client has it."},
                  "404": {"$ref": "#/components/responses/Problem"}, "default": {"$ref": "#/components/responses/Problem"}}
              },
              "put": {
                "summary": "Takes a photo of at most 5 MB, in place of the one before.", "security": [{"account": []}],
                "requestBody": {"required": true, "content": {
                  "image/jpeg": {"schema": {"type": "string", "format": "binary"}},
                  "image/png": {"schema": {"type": "string", "format": "binary"}},
                  "image/webp": {"schema": {"type": "string", "format": "binary"}}}},
                "responses": {
                  "204": {"description": "It is stored."}, "413": {"$ref": "#/components/responses/Problem"},
                  "415": {"$ref": "#/components/responses/Problem"}, "default": {"$ref": "#/components/responses/Problem"}}
              }
            },
            "/trips/{id}/reminder": {
              "parameters": [{"$ref": "#/components/parameters/id"}],
              "post": {
                "summary": "Puts what to pack on the trip's list, soon.", "security": [{"account": []}],
                "responses": {
                  "202": {"description": "It will be done."}, "404": {"$ref": "#/components/responses/Problem"},
                  "default": {"$ref": "#/components/responses/Problem"}}
              }
            },
            "/trips/live": {
              "get": {
                "summary": "The first 100 trips, and again whenever that changes.",
                "responses": {
                  "200": {"description": "Server-sent events; the data of each is an array of TripInBrief.",
                    "content": {"text/event-stream": {"schema": {"type": "string"}}}},
                  "default": {"$ref": "#/components/responses/Problem"}}
              }
            },
            "/trips/changes": {
              "get": {
                "summary": "What changes, without values.",
                "parameters": [
                  {"name": "Last-Event-ID", "in": "header", "schema": {"type": "string"}},
                  {"name": "after", "in": "query", "schema": {"type": "string"}}],
                "responses": {
                  "200": {"description": "Server-sent events named change; a client goes on behind the id of the last.",
                    "content": {"text/event-stream": {"schema": {"type": "string"}}}},
                  "400": {"$ref": "#/components/responses/Problem"}, "default": {"$ref": "#/components/responses/Problem"}}
              }
            },
            "/search": {
              "get": {
                "summary": "Trips whose name or destination has a text; 422 where more than 50 have it.",
                "parameters": [{"name": "q", "in": "query", "required": true, "schema": {"type": "string", "minLength": 1}}],
                "responses": {
                  "200": {"description": "Trips.",
                    "content": {"application/json": {"schema": {"type": "array", "items": {"$ref": "#/components/schemas/TripInBrief"}}}}},
                  "400": {"$ref": "#/components/responses/Problem"}, "default": {"$ref": "#/components/responses/Problem"}}
              }
            },
            "/report": {
              "get": {
                "summary": "How many trips lead where.",
                "responses": {
                  "200": {"description": "A line for each destination.",
                    "content": {"application/json": {"schema": {
                      "type": "array", "items": {"$ref": "#/components/schemas/DestinationReport"}}}}},
                  "default": {"$ref": "#/components/responses/Problem"}}
              }
            },
            "/health/live": {
              "get": {"summary": "Whether the process answers.", "responses": {"200": {"description": "It does."}}}
            },
            "/health/ready": {
              "get": {"summary": "Whether it can serve.", "responses": {
                "200": {"description": "It can; with the use of the pools."}, "503": {"$ref": "#/components/responses/Problem"}}}
            }
          },
          "components": {
            "securitySchemes": {"account": {"type": "http", "scheme": "bearer", "description": "The token of an account."}},
            "parameters": {
              "id": {"name": "id", "in": "path", "required": true, "schema": {"type": "string"},
                "description": "The last component of the trip's Location."}
            },
            "responses": {
              "Problem": {"description": "What went wrong (RFC 9457).",
                "headers": {"Retry-After": {"description": "With 503.", "schema": {"type": "integer"}}},
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}},
              "Trip": {"description": "The trip.",
                "headers": {
                  "ETag": {"description": "For If-Match and If-None-Match.", "schema": {"type": "string"}},
                  "Location": {"description": "With 201.", "schema": {"type": "string"}}},
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Trip"}}}}
            },
            "schemas": {
              "Account": {"type": "object", "required": ["name", "token"],
                "properties": {"name": {"type": "string"}, "token": {"type": "string"}}},
              "ID": {"type": "string", "description": "Names an object: strata:store/class/key."},
              "TripInBrief": {"type": "object", "required": ["class", "persistentModelID", "name", "destination", "startDate"],
                "properties": {
                  "class": {"type": "string", "enum": ["Trip", "BusinessTrip", "PersonalTrip"]},
                  "persistentModelID": {"$ref": "#/components/schemas/ID"},
                  "name": {"type": "string"}, "destination": {"type": "string"},
                  "startDate": {"type": "string", "format": "date-time"}}},
              "Trip": {"allOf": [
                {"$ref": "#/components/schemas/TripInBrief"},
                {"type": "object", "required": ["endDate", "bucketList"],
                  "properties": {
                    "endDate": {"type": "string", "format": "date-time"},
                    "bucketList": {"type": "array", "items": {"$ref": "#/components/schemas/BucketListItem"}}}}]},
              "BucketListItem": {"type": "object",
                "required": ["class", "persistentModelID", "title", "details", "hasReservation", "isInPlan"],
                "properties": {
                  "class": {"type": "string"}, "persistentModelID": {"$ref": "#/components/schemas/ID"},
                  "title": {"type": "string"}, "details": {"type": "string"},
                  "hasReservation": {"type": "boolean"}, "isInPlan": {"type": "boolean"}}},
              "TripChanges": {"type": "object", "additionalProperties": false,
                "properties": {
                  "name": {"type": "string"}, "destination": {"type": "string"},
                  "startDate": {"type": "string", "format": "date-time"}, "endDate": {"type": "string", "format": "date-time"}}},
              "NewTrip": {"type": "object", "required": ["name", "destination", "startDate", "endDate"],
                "properties": {
                  "name": {"type": "string"}, "destination": {"type": "string"},
                  "startDate": {"type": "string", "format": "date-time"}, "endDate": {"type": "string", "format": "date-time"}}},
              "DestinationReport": {"type": "object", "required": ["destination", "trips"],
                "properties": {
                  "destination": {"type": "string"}, "trips": {"type": "integer"},
                  "lastStart": {"type": "string", "format": "date-time"}}},
              "Problem": {"type": "object", "required": ["title", "status"],
                "properties": {
                  "title": {"type": "string"}, "status": {"type": "integer"}, "detail": {"type": "string"}, "code": {"type": "string"},
                  "errors": {"type": "array", "items": {"type": "object", "required": ["pointer", "detail"],
                    "properties": {"pointer": {"type": "string"}, "detail": {"type": "string"}}}}}}
            }
          }
        }
        """#
}
