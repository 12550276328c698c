/** Materials stocks, one a line: `TICKER|name|alias,alias`. */
export const MATERIALS = `
LIN|Linde|linde plc
SHW|Sherwin-Williams
FCX|Freeport-McMoRan|freeport,freeport mcmoran copper
NEM|Newmont|newmont mining,newmont corp
ECL|Ecolab
APD|Air Products
NUE|Nucor
STLD|Steel Dynamics
VMC|Vulcan Materials
MLM|Martin Marietta
CRH|CRH
CTVA|Corteva
DOW|Dow|dow chemical
PPG|PPG Industries
LYB|LyondellBasell
IFF|International Flavors & Fragrances
ALB|Albemarle
CF|CF Industries
MOS|Mosaic
IP|International Paper
SW|Smurfit Westrock
PKG|Packaging Corp of America
AMCR|Amcor
BALL|Ball
AVY|Avery Dennison
CC|Chemours
AA|Alcoa
CLF|Cleveland-Cliffs
BHP|BHP
RIO|Rio Tinto
VALE|Vale
B|Barrick Mining|barrick,barrick gold
AEM|Agnico Eagle
WPM|Wheaton Precious Metals
FNV|Franco-Nevada
KGC|Kinross Gold
AG|First Majestic Silver
PAAS|Pan American Silver
HL|Hecla Mining
MP|MP Materials
TRX|TRX Gold
RAIN|Rain Enhancement Technologies
SQM|SQM|sociedad quimica y minera
LAC|Lithium Americas
SCCO|Southern Copper
NTR|Nutrien
`;
