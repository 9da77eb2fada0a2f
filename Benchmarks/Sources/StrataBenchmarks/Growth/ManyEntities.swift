import Strata

// A large schema: what it costs to start with it.

@Model final class Entity000 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity001 {
    var name = ""
    var number = 0
    var other: Entity000?
    init() {}
}
@Model final class Entity002 {
    var name = ""
    var number = 0
    var other: Entity001?
    init() {}
}
@Model final class Entity003 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity004 {
    var name = ""
    var number = 0
    var other: Entity003?
    init() {}
}
@Model final class Entity005 {
    var name = ""
    var number = 0
    var other: Entity004?
    init() {}
}
@Model final class Entity006 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity007 {
    var name = ""
    var number = 0
    var other: Entity006?
    init() {}
}
@Model final class Entity008 {
    var name = ""
    var number = 0
    var other: Entity007?
    init() {}
}
@Model final class Entity009 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity010 {
    var name = ""
    var number = 0
    var other: Entity009?
    init() {}
}
@Model final class Entity011 {
    var name = ""
    var number = 0
    var other: Entity010?
    init() {}
}
@Model final class Entity012 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity013 {
    var name = ""
    var number = 0
    var other: Entity012?
    init() {}
}
@Model final class Entity014 {
    var name = ""
    var number = 0
    var other: Entity013?
    init() {}
}
@Model final class Entity015 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity016 {
    var name = ""
    var number = 0
    var other: Entity015?
    init() {}
}
@Model final class Entity017 {
    var name = ""
    var number = 0
    var other: Entity016?
    init() {}
}
@Model final class Entity018 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity019 {
    var name = ""
    var number = 0
    var other: Entity018?
    init() {}
}
@Model final class Entity020 {
    var name = ""
    var number = 0
    var other: Entity019?
    init() {}
}
@Model final class Entity021 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity022 {
    var name = ""
    var number = 0
    var other: Entity021?
    init() {}
}
@Model final class Entity023 {
    var name = ""
    var number = 0
    var other: Entity022?
    init() {}
}
@Model final class Entity024 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity025 {
    var name = ""
    var number = 0
    var other: Entity024?
    init() {}
}
@Model final class Entity026 {
    var name = ""
    var number = 0
    var other: Entity025?
    init() {}
}
@Model final class Entity027 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity028 {
    var name = ""
    var number = 0
    var other: Entity027?
    init() {}
}
@Model final class Entity029 {
    var name = ""
    var number = 0
    var other: Entity028?
    init() {}
}
@Model final class Entity030 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity031 {
    var name = ""
    var number = 0
    var other: Entity030?
    init() {}
}
@Model final class Entity032 {
    var name = ""
    var number = 0
    var other: Entity031?
    init() {}
}
@Model final class Entity033 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity034 {
    var name = ""
    var number = 0
    var other: Entity033?
    init() {}
}
@Model final class Entity035 {
    var name = ""
    var number = 0
    var other: Entity034?
    init() {}
}
@Model final class Entity036 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity037 {
    var name = ""
    var number = 0
    var other: Entity036?
    init() {}
}
@Model final class Entity038 {
    var name = ""
    var number = 0
    var other: Entity037?
    init() {}
}
@Model final class Entity039 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity040 {
    var name = ""
    var number = 0
    var other: Entity039?
    init() {}
}
@Model final class Entity041 {
    var name = ""
    var number = 0
    var other: Entity040?
    init() {}
}
@Model final class Entity042 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity043 {
    var name = ""
    var number = 0
    var other: Entity042?
    init() {}
}
@Model final class Entity044 {
    var name = ""
    var number = 0
    var other: Entity043?
    init() {}
}
@Model final class Entity045 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity046 {
    var name = ""
    var number = 0
    var other: Entity045?
    init() {}
}
@Model final class Entity047 {
    var name = ""
    var number = 0
    var other: Entity046?
    init() {}
}
@Model final class Entity048 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity049 {
    var name = ""
    var number = 0
    var other: Entity048?
    init() {}
}
@Model final class Entity050 {
    var name = ""
    var number = 0
    var other: Entity049?
    init() {}
}
@Model final class Entity051 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity052 {
    var name = ""
    var number = 0
    var other: Entity051?
    init() {}
}
@Model final class Entity053 {
    var name = ""
    var number = 0
    var other: Entity052?
    init() {}
}
@Model final class Entity054 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity055 {
    var name = ""
    var number = 0
    var other: Entity054?
    init() {}
}
@Model final class Entity056 {
    var name = ""
    var number = 0
    var other: Entity055?
    init() {}
}
@Model final class Entity057 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity058 {
    var name = ""
    var number = 0
    var other: Entity057?
    init() {}
}
@Model final class Entity059 {
    var name = ""
    var number = 0
    var other: Entity058?
    init() {}
}
@Model final class Entity060 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity061 {
    var name = ""
    var number = 0
    var other: Entity060?
    init() {}
}
@Model final class Entity062 {
    var name = ""
    var number = 0
    var other: Entity061?
    init() {}
}
@Model final class Entity063 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity064 {
    var name = ""
    var number = 0
    var other: Entity063?
    init() {}
}
@Model final class Entity065 {
    var name = ""
    var number = 0
    var other: Entity064?
    init() {}
}
@Model final class Entity066 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity067 {
    var name = ""
    var number = 0
    var other: Entity066?
    init() {}
}
@Model final class Entity068 {
    var name = ""
    var number = 0
    var other: Entity067?
    init() {}
}
@Model final class Entity069 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity070 {
    var name = ""
    var number = 0
    var other: Entity069?
    init() {}
}
@Model final class Entity071 {
    var name = ""
    var number = 0
    var other: Entity070?
    init() {}
}
@Model final class Entity072 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity073 {
    var name = ""
    var number = 0
    var other: Entity072?
    init() {}
}
@Model final class Entity074 {
    var name = ""
    var number = 0
    var other: Entity073?
    init() {}
}
@Model final class Entity075 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity076 {
    var name = ""
    var number = 0
    var other: Entity075?
    init() {}
}
@Model final class Entity077 {
    var name = ""
    var number = 0
    var other: Entity076?
    init() {}
}
@Model final class Entity078 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity079 {
    var name = ""
    var number = 0
    var other: Entity078?
    init() {}
}
@Model final class Entity080 {
    var name = ""
    var number = 0
    var other: Entity079?
    init() {}
}
@Model final class Entity081 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity082 {
    var name = ""
    var number = 0
    var other: Entity081?
    init() {}
}
@Model final class Entity083 {
    var name = ""
    var number = 0
    var other: Entity082?
    init() {}
}
@Model final class Entity084 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity085 {
    var name = ""
    var number = 0
    var other: Entity084?
    init() {}
}
@Model final class Entity086 {
    var name = ""
    var number = 0
    var other: Entity085?
    init() {}
}
@Model final class Entity087 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity088 {
    var name = ""
    var number = 0
    var other: Entity087?
    init() {}
}
@Model final class Entity089 {
    var name = ""
    var number = 0
    var other: Entity088?
    init() {}
}
@Model final class Entity090 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity091 {
    var name = ""
    var number = 0
    var other: Entity090?
    init() {}
}
@Model final class Entity092 {
    var name = ""
    var number = 0
    var other: Entity091?
    init() {}
}
@Model final class Entity093 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity094 {
    var name = ""
    var number = 0
    var other: Entity093?
    init() {}
}
@Model final class Entity095 {
    var name = ""
    var number = 0
    var other: Entity094?
    init() {}
}
@Model final class Entity096 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity097 {
    var name = ""
    var number = 0
    var other: Entity096?
    init() {}
}
@Model final class Entity098 {
    var name = ""
    var number = 0
    var other: Entity097?
    init() {}
}
@Model final class Entity099 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity100 {
    var name = ""
    var number = 0
    var other: Entity099?
    init() {}
}
@Model final class Entity101 {
    var name = ""
    var number = 0
    var other: Entity100?
    init() {}
}
@Model final class Entity102 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity103 {
    var name = ""
    var number = 0
    var other: Entity102?
    init() {}
}
@Model final class Entity104 {
    var name = ""
    var number = 0
    var other: Entity103?
    init() {}
}
@Model final class Entity105 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity106 {
    var name = ""
    var number = 0
    var other: Entity105?
    init() {}
}
@Model final class Entity107 {
    var name = ""
    var number = 0
    var other: Entity106?
    init() {}
}
@Model final class Entity108 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity109 {
    var name = ""
    var number = 0
    var other: Entity108?
    init() {}
}
@Model final class Entity110 {
    var name = ""
    var number = 0
    var other: Entity109?
    init() {}
}
@Model final class Entity111 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity112 {
    var name = ""
    var number = 0
    var other: Entity111?
    init() {}
}
@Model final class Entity113 {
    var name = ""
    var number = 0
    var other: Entity112?
    init() {}
}
@Model final class Entity114 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity115 {
    var name = ""
    var number = 0
    var other: Entity114?
    init() {}
}
@Model final class Entity116 {
    var name = ""
    var number = 0
    var other: Entity115?
    init() {}
}
@Model final class Entity117 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity118 {
    var name = ""
    var number = 0
    var other: Entity117?
    init() {}
}
@Model final class Entity119 {
    var name = ""
    var number = 0
    var other: Entity118?
    init() {}
}
@Model final class Entity120 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity121 {
    var name = ""
    var number = 0
    var other: Entity120?
    init() {}
}
@Model final class Entity122 {
    var name = ""
    var number = 0
    var other: Entity121?
    init() {}
}
@Model final class Entity123 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity124 {
    var name = ""
    var number = 0
    var other: Entity123?
    init() {}
}
@Model final class Entity125 {
    var name = ""
    var number = 0
    var other: Entity124?
    init() {}
}
@Model final class Entity126 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity127 {
    var name = ""
    var number = 0
    var other: Entity126?
    init() {}
}
@Model final class Entity128 {
    var name = ""
    var number = 0
    var other: Entity127?
    init() {}
}
@Model final class Entity129 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity130 {
    var name = ""
    var number = 0
    var other: Entity129?
    init() {}
}
@Model final class Entity131 {
    var name = ""
    var number = 0
    var other: Entity130?
    init() {}
}
@Model final class Entity132 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity133 {
    var name = ""
    var number = 0
    var other: Entity132?
    init() {}
}
@Model final class Entity134 {
    var name = ""
    var number = 0
    var other: Entity133?
    init() {}
}
@Model final class Entity135 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity136 {
    var name = ""
    var number = 0
    var other: Entity135?
    init() {}
}
@Model final class Entity137 {
    var name = ""
    var number = 0
    var other: Entity136?
    init() {}
}
@Model final class Entity138 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity139 {
    var name = ""
    var number = 0
    var other: Entity138?
    init() {}
}
@Model final class Entity140 {
    var name = ""
    var number = 0
    var other: Entity139?
    init() {}
}
@Model final class Entity141 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity142 {
    var name = ""
    var number = 0
    var other: Entity141?
    init() {}
}
@Model final class Entity143 {
    var name = ""
    var number = 0
    var other: Entity142?
    init() {}
}
@Model final class Entity144 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity145 {
    var name = ""
    var number = 0
    var other: Entity144?
    init() {}
}
@Model final class Entity146 {
    var name = ""
    var number = 0
    var other: Entity145?
    init() {}
}
@Model final class Entity147 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity148 {
    var name = ""
    var number = 0
    var other: Entity147?
    init() {}
}
@Model final class Entity149 {
    var name = ""
    var number = 0
    var other: Entity148?
    init() {}
}
@Model final class Entity150 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity151 {
    var name = ""
    var number = 0
    var other: Entity150?
    init() {}
}
@Model final class Entity152 {
    var name = ""
    var number = 0
    var other: Entity151?
    init() {}
}
@Model final class Entity153 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity154 {
    var name = ""
    var number = 0
    var other: Entity153?
    init() {}
}
@Model final class Entity155 {
    var name = ""
    var number = 0
    var other: Entity154?
    init() {}
}
@Model final class Entity156 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity157 {
    var name = ""
    var number = 0
    var other: Entity156?
    init() {}
}
@Model final class Entity158 {
    var name = ""
    var number = 0
    var other: Entity157?
    init() {}
}
@Model final class Entity159 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity160 {
    var name = ""
    var number = 0
    var other: Entity159?
    init() {}
}
@Model final class Entity161 {
    var name = ""
    var number = 0
    var other: Entity160?
    init() {}
}
@Model final class Entity162 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity163 {
    var name = ""
    var number = 0
    var other: Entity162?
    init() {}
}
@Model final class Entity164 {
    var name = ""
    var number = 0
    var other: Entity163?
    init() {}
}
@Model final class Entity165 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity166 {
    var name = ""
    var number = 0
    var other: Entity165?
    init() {}
}
@Model final class Entity167 {
    var name = ""
    var number = 0
    var other: Entity166?
    init() {}
}
@Model final class Entity168 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity169 {
    var name = ""
    var number = 0
    var other: Entity168?
    init() {}
}
@Model final class Entity170 {
    var name = ""
    var number = 0
    var other: Entity169?
    init() {}
}
@Model final class Entity171 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity172 {
    var name = ""
    var number = 0
    var other: Entity171?
    init() {}
}
@Model final class Entity173 {
    var name = ""
    var number = 0
    var other: Entity172?
    init() {}
}
@Model final class Entity174 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity175 {
    var name = ""
    var number = 0
    var other: Entity174?
    init() {}
}
@Model final class Entity176 {
    var name = ""
    var number = 0
    var other: Entity175?
    init() {}
}
@Model final class Entity177 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity178 {
    var name = ""
    var number = 0
    var other: Entity177?
    init() {}
}
@Model final class Entity179 {
    var name = ""
    var number = 0
    var other: Entity178?
    init() {}
}
@Model final class Entity180 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity181 {
    var name = ""
    var number = 0
    var other: Entity180?
    init() {}
}
@Model final class Entity182 {
    var name = ""
    var number = 0
    var other: Entity181?
    init() {}
}
@Model final class Entity183 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity184 {
    var name = ""
    var number = 0
    var other: Entity183?
    init() {}
}
@Model final class Entity185 {
    var name = ""
    var number = 0
    var other: Entity184?
    init() {}
}
@Model final class Entity186 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity187 {
    var name = ""
    var number = 0
    var other: Entity186?
    init() {}
}
@Model final class Entity188 {
    var name = ""
    var number = 0
    var other: Entity187?
    init() {}
}
@Model final class Entity189 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity190 {
    var name = ""
    var number = 0
    var other: Entity189?
    init() {}
}
@Model final class Entity191 {
    var name = ""
    var number = 0
    var other: Entity190?
    init() {}
}
@Model final class Entity192 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity193 {
    var name = ""
    var number = 0
    var other: Entity192?
    init() {}
}
@Model final class Entity194 {
    var name = ""
    var number = 0
    var other: Entity193?
    init() {}
}
@Model final class Entity195 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity196 {
    var name = ""
    var number = 0
    var other: Entity195?
    init() {}
}
@Model final class Entity197 {
    var name = ""
    var number = 0
    var other: Entity196?
    init() {}
}
@Model final class Entity198 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity199 {
    var name = ""
    var number = 0
    var other: Entity198?
    init() {}
}
@Model final class Entity200 {
    var name = ""
    var number = 0
    var other: Entity199?
    init() {}
}
@Model final class Entity201 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity202 {
    var name = ""
    var number = 0
    var other: Entity201?
    init() {}
}
@Model final class Entity203 {
    var name = ""
    var number = 0
    var other: Entity202?
    init() {}
}
@Model final class Entity204 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity205 {
    var name = ""
    var number = 0
    var other: Entity204?
    init() {}
}
@Model final class Entity206 {
    var name = ""
    var number = 0
    var other: Entity205?
    init() {}
}
@Model final class Entity207 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity208 {
    var name = ""
    var number = 0
    var other: Entity207?
    init() {}
}
@Model final class Entity209 {
    var name = ""
    var number = 0
    var other: Entity208?
    init() {}
}
@Model final class Entity210 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity211 {
    var name = ""
    var number = 0
    var other: Entity210?
    init() {}
}
@Model final class Entity212 {
    var name = ""
    var number = 0
    var other: Entity211?
    init() {}
}
@Model final class Entity213 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity214 {
    var name = ""
    var number = 0
    var other: Entity213?
    init() {}
}
@Model final class Entity215 {
    var name = ""
    var number = 0
    var other: Entity214?
    init() {}
}
@Model final class Entity216 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity217 {
    var name = ""
    var number = 0
    var other: Entity216?
    init() {}
}
@Model final class Entity218 {
    var name = ""
    var number = 0
    var other: Entity217?
    init() {}
}
@Model final class Entity219 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity220 {
    var name = ""
    var number = 0
    var other: Entity219?
    init() {}
}
@Model final class Entity221 {
    var name = ""
    var number = 0
    var other: Entity220?
    init() {}
}
@Model final class Entity222 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity223 {
    var name = ""
    var number = 0
    var other: Entity222?
    init() {}
}
@Model final class Entity224 {
    var name = ""
    var number = 0
    var other: Entity223?
    init() {}
}
@Model final class Entity225 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity226 {
    var name = ""
    var number = 0
    var other: Entity225?
    init() {}
}
@Model final class Entity227 {
    var name = ""
    var number = 0
    var other: Entity226?
    init() {}
}
@Model final class Entity228 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity229 {
    var name = ""
    var number = 0
    var other: Entity228?
    init() {}
}
@Model final class Entity230 {
    var name = ""
    var number = 0
    var other: Entity229?
    init() {}
}
@Model final class Entity231 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity232 {
    var name = ""
    var number = 0
    var other: Entity231?
    init() {}
}
@Model final class Entity233 {
    var name = ""
    var number = 0
    var other: Entity232?
    init() {}
}
@Model final class Entity234 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity235 {
    var name = ""
    var number = 0
    var other: Entity234?
    init() {}
}
@Model final class Entity236 {
    var name = ""
    var number = 0
    var other: Entity235?
    init() {}
}
@Model final class Entity237 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity238 {
    var name = ""
    var number = 0
    var other: Entity237?
    init() {}
}
@Model final class Entity239 {
    var name = ""
    var number = 0
    var other: Entity238?
    init() {}
}
@Model final class Entity240 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity241 {
    var name = ""
    var number = 0
    var other: Entity240?
    init() {}
}
@Model final class Entity242 {
    var name = ""
    var number = 0
    var other: Entity241?
    init() {}
}
@Model final class Entity243 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity244 {
    var name = ""
    var number = 0
    var other: Entity243?
    init() {}
}
@Model final class Entity245 {
    var name = ""
    var number = 0
    var other: Entity244?
    init() {}
}
@Model final class Entity246 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity247 {
    var name = ""
    var number = 0
    var other: Entity246?
    init() {}
}
@Model final class Entity248 {
    var name = ""
    var number = 0
    var other: Entity247?
    init() {}
}
@Model final class Entity249 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity250 {
    var name = ""
    var number = 0
    var other: Entity249?
    init() {}
}
@Model final class Entity251 {
    var name = ""
    var number = 0
    var other: Entity250?
    init() {}
}
@Model final class Entity252 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity253 {
    var name = ""
    var number = 0
    var other: Entity252?
    init() {}
}
@Model final class Entity254 {
    var name = ""
    var number = 0
    var other: Entity253?
    init() {}
}
@Model final class Entity255 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity256 {
    var name = ""
    var number = 0
    var other: Entity255?
    init() {}
}
@Model final class Entity257 {
    var name = ""
    var number = 0
    var other: Entity256?
    init() {}
}
@Model final class Entity258 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity259 {
    var name = ""
    var number = 0
    var other: Entity258?
    init() {}
}
@Model final class Entity260 {
    var name = ""
    var number = 0
    var other: Entity259?
    init() {}
}
@Model final class Entity261 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity262 {
    var name = ""
    var number = 0
    var other: Entity261?
    init() {}
}
@Model final class Entity263 {
    var name = ""
    var number = 0
    var other: Entity262?
    init() {}
}
@Model final class Entity264 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity265 {
    var name = ""
    var number = 0
    var other: Entity264?
    init() {}
}
@Model final class Entity266 {
    var name = ""
    var number = 0
    var other: Entity265?
    init() {}
}
@Model final class Entity267 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity268 {
    var name = ""
    var number = 0
    var other: Entity267?
    init() {}
}
@Model final class Entity269 {
    var name = ""
    var number = 0
    var other: Entity268?
    init() {}
}
@Model final class Entity270 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity271 {
    var name = ""
    var number = 0
    var other: Entity270?
    init() {}
}
@Model final class Entity272 {
    var name = ""
    var number = 0
    var other: Entity271?
    init() {}
}
@Model final class Entity273 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity274 {
    var name = ""
    var number = 0
    var other: Entity273?
    init() {}
}
@Model final class Entity275 {
    var name = ""
    var number = 0
    var other: Entity274?
    init() {}
}
@Model final class Entity276 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity277 {
    var name = ""
    var number = 0
    var other: Entity276?
    init() {}
}
@Model final class Entity278 {
    var name = ""
    var number = 0
    var other: Entity277?
    init() {}
}
@Model final class Entity279 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity280 {
    var name = ""
    var number = 0
    var other: Entity279?
    init() {}
}
@Model final class Entity281 {
    var name = ""
    var number = 0
    var other: Entity280?
    init() {}
}
@Model final class Entity282 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity283 {
    var name = ""
    var number = 0
    var other: Entity282?
    init() {}
}
@Model final class Entity284 {
    var name = ""
    var number = 0
    var other: Entity283?
    init() {}
}
@Model final class Entity285 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity286 {
    var name = ""
    var number = 0
    var other: Entity285?
    init() {}
}
@Model final class Entity287 {
    var name = ""
    var number = 0
    var other: Entity286?
    init() {}
}
@Model final class Entity288 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity289 {
    var name = ""
    var number = 0
    var other: Entity288?
    init() {}
}
@Model final class Entity290 {
    var name = ""
    var number = 0
    var other: Entity289?
    init() {}
}
@Model final class Entity291 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity292 {
    var name = ""
    var number = 0
    var other: Entity291?
    init() {}
}
@Model final class Entity293 {
    var name = ""
    var number = 0
    var other: Entity292?
    init() {}
}
@Model final class Entity294 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity295 {
    var name = ""
    var number = 0
    var other: Entity294?
    init() {}
}
@Model final class Entity296 {
    var name = ""
    var number = 0
    var other: Entity295?
    init() {}
}
@Model final class Entity297 {
    var name = ""
    var number = 0
    init() {}
}
@Model final class Entity298 {
    var name = ""
    var number = 0
    var other: Entity297?
    init() {}
}
@Model final class Entity299 {
    var name = ""
    var number = 0
    var other: Entity298?
    init() {}
}

/// The classes of the large schema.
enum ManyEntities {
    static let types: [any PersistentModel.Type] = [
        Entity000.self, Entity001.self, Entity002.self, Entity003.self, Entity004.self, Entity005.self,
        Entity006.self, Entity007.self, Entity008.self, Entity009.self, Entity010.self, Entity011.self,
        Entity012.self, Entity013.self, Entity014.self, Entity015.self, Entity016.self, Entity017.self,
        Entity018.self, Entity019.self, Entity020.self, Entity021.self, Entity022.self, Entity023.self,
        Entity024.self, Entity025.self, Entity026.self, Entity027.self, Entity028.self, Entity029.self,
        Entity030.self, Entity031.self, Entity032.self, Entity033.self, Entity034.self, Entity035.self,
        Entity036.self, Entity037.self, Entity038.self, Entity039.self, Entity040.self, Entity041.self,
        Entity042.self, Entity043.self, Entity044.self, Entity045.self, Entity046.self, Entity047.self,
        Entity048.self, Entity049.self, Entity050.self, Entity051.self, Entity052.self, Entity053.self,
        Entity054.self, Entity055.self, Entity056.self, Entity057.self, Entity058.self, Entity059.self,
        Entity060.self, Entity061.self, Entity062.self, Entity063.self, Entity064.self, Entity065.self,
        Entity066.self, Entity067.self, Entity068.self, Entity069.self, Entity070.self, Entity071.self,
        Entity072.self, Entity073.self, Entity074.self, Entity075.self, Entity076.self, Entity077.self,
        Entity078.self, Entity079.self, Entity080.self, Entity081.self, Entity082.self, Entity083.self,
        Entity084.self, Entity085.self, Entity086.self, Entity087.self, Entity088.self, Entity089.self,
        Entity090.self, Entity091.self, Entity092.self, Entity093.self, Entity094.self, Entity095.self,
        Entity096.self, Entity097.self, Entity098.self, Entity099.self, Entity100.self, Entity101.self,
        Entity102.self, Entity103.self, Entity104.self, Entity105.self, Entity106.self, Entity107.self,
        Entity108.self, Entity109.self, Entity110.self, Entity111.self, Entity112.self, Entity113.self,
        Entity114.self, Entity115.self, Entity116.self, Entity117.self, Entity118.self, Entity119.self,
        Entity120.self, Entity121.self, Entity122.self, Entity123.self, Entity124.self, Entity125.self,
        Entity126.self, Entity127.self, Entity128.self, Entity129.self, Entity130.self, Entity131.self,
        Entity132.self, Entity133.self, Entity134.self, Entity135.self, Entity136.self, Entity137.self,
        Entity138.self, Entity139.self, Entity140.self, Entity141.self, Entity142.self, Entity143.self,
        Entity144.self, Entity145.self, Entity146.self, Entity147.self, Entity148.self, Entity149.self,
        Entity150.self, Entity151.self, Entity152.self, Entity153.self, Entity154.self, Entity155.self,
        Entity156.self, Entity157.self, Entity158.self, Entity159.self, Entity160.self, Entity161.self,
        Entity162.self, Entity163.self, Entity164.self, Entity165.self, Entity166.self, Entity167.self,
        Entity168.self, Entity169.self, Entity170.self, Entity171.self, Entity172.self, Entity173.self,
        Entity174.self, Entity175.self, Entity176.self, Entity177.self, Entity178.self, Entity179.self,
        Entity180.self, Entity181.self, Entity182.self, Entity183.self, Entity184.self, Entity185.self,
        Entity186.self, Entity187.self, Entity188.self, Entity189.self, Entity190.self, Entity191.self,
        Entity192.self, Entity193.self, Entity194.self, Entity195.self, Entity196.self, Entity197.self,
        Entity198.self, Entity199.self, Entity200.self, Entity201.self, Entity202.self, Entity203.self,
        Entity204.self, Entity205.self, Entity206.self, Entity207.self, Entity208.self, Entity209.self,
        Entity210.self, Entity211.self, Entity212.self, Entity213.self, Entity214.self, Entity215.self,
        Entity216.self, Entity217.self, Entity218.self, Entity219.self, Entity220.self, Entity221.self,
        Entity222.self, Entity223.self, Entity224.self, Entity225.self, Entity226.self, Entity227.self,
        Entity228.self, Entity229.self, Entity230.self, Entity231.self, Entity232.self, Entity233.self,
        Entity234.self, Entity235.self, Entity236.self, Entity237.self, Entity238.self, Entity239.self,
        Entity240.self, Entity241.self, Entity242.self, Entity243.self, Entity244.self, Entity245.self,
        Entity246.self, Entity247.self, Entity248.self, Entity249.self, Entity250.self, Entity251.self,
        Entity252.self, Entity253.self, Entity254.self, Entity255.self, Entity256.self, Entity257.self,
        Entity258.self, Entity259.self, Entity260.self, Entity261.self, Entity262.self, Entity263.self,
        Entity264.self, Entity265.self, Entity266.self, Entity267.self, Entity268.self, Entity269.self,
        Entity270.self, Entity271.self, Entity272.self, Entity273.self, Entity274.self, Entity275.self,
        Entity276.self, Entity277.self, Entity278.self, Entity279.self, Entity280.self, Entity281.self,
        Entity282.self, Entity283.self, Entity284.self, Entity285.self, Entity286.self, Entity287.self,
        Entity288.self, Entity289.self, Entity290.self, Entity291.self, Entity292.self, Entity293.self,
        Entity294.self, Entity295.self, Entity296.self, Entity297.self, Entity298.self, Entity299.self,
    ]
}
