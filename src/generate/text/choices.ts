/** Each line: ends of the names of properties, and the texts that one of them can have. */
const lines = `
access visibility privacy: private | public
accounttype: business | personal
action op operation: create | update
algorithm: HS256 | RS256
allergy: Latex | Peanuts | Penicillin | Pollen
architecture arch cpuarchitecture: amd64 | arm64
aspectratio: 16:9 | 4:3
availability: available
bloodtype bloodgroup: A+ | A- | B+ | AB+ | O+ | O-
branch ref baseref headref targetcommitish: main
browser: Chrome | Edge | Firefox | Safari
channel: email | mobile | web
charset encoding: utf-8
condition: good | new | used
continent: Africa | Asia | Europe | North America | South America
deleted enabled success verified: true
direction: inbound | outbound
encryption cipher: AES-256
environment env stage: production | staging
event eventname eventtype trigger: created | updated
field pointer property parameter column: email | name | quantity
format outputformat fileformat: csv | json | pdf
frequency interval period recurrence cadence: daily | monthly | weekly
gender sex: female | male | other
grade: A | B | C
granttype: authorization_code
level severity priority importance: high | low | medium
license licence spdxid: Apache-2.0 | MIT
maritalstatus: married | single
mcc: 5411 | 5734 | 5812
method httpmethod: GET | POST
mode variant class classification subtype style: basic | standard
monthname: April | January | July | October
namespace: default
neighborhood neighbourhood district borough: Harbor | Old Town | Riverside
orientation: landscape | portrait
paymentmethod paymenttype: bank_transfer | card
platform os operatingsystem: android | ios | linux | macos | windows
protocol scheme: https
quality: high | medium
relationship: friend | parent | partner | sibling
rel: self
resolution: 1280x720 | 1920x1080
result outcome: success
runtime: node | python
salutation honorific: Dr. | Mr. | Ms.
semester quarter: 1 | 2
size: L | M | S | XL
sort sortby orderby sortfield: createdAt | name
sortorder sortdirection: asc | desc
source origin: api | import | web
status phase: active | inactive | pending
suffix: Jr.
ticker tickersymbol: ACM | NVA | TRB
theme: dark | light
unit: cm | kg | pcs
weekday dayofweek dayname: Friday | Monday | Wednesday
`;

/** Names of properties, each with the texts of which one fits as well as another. */
export const choices: readonly (readonly [names: string, texts: readonly string[]])[] = lines
  .trim()
  .split('\n')
  .map((line) => {
    const [names = '', texts = ''] = line.split(/: (.*)/s);
    return [names, texts.split(' | ')];
  });
