/** Consumer staples stocks, one a line: `TICKER|name|alias,alias`. */
export const STAPLES = `
WMT|Walmart|wally world,wal-mart,walmart inc
COST|Costco|costco wholesale
PG|Procter & Gamble|p&g,procter and gamble,proctor and gamble,procter gamble,proctor gamble,procter,p and g
KO|Coca-Cola|coke,coca cola,the coca-cola company,coca-cola company,coke cola
PEP|PepsiCo|pepsi
PM|Philip Morris International|philip morris
MO|Altria|marlboro
MDLZ|Mondelez|oreo
CL|Colgate-Palmolive|colgate
TGT|Target
KMB|Kimberly-Clark|kleenex
KDP|Keurig Dr Pepper|dr pepper
MNST|Monster Beverage|monster energy
STZ|Constellation Brands
KR|Kroger
SYY|Sysco
GIS|General Mills
HSY|Hershey
KHC|Kraft Heinz
KVUE|Kenvue|tylenol
DG|Dollar General
DLTR|Dollar Tree
EL|Estee Lauder
ADM|Archer-Daniels-Midland|archer daniels midland
BG|Bunge
TSN|Tyson Foods|tyson
HRL|Hormel
MKC|McCormick
CHD|Church & Dwight
CLX|Clorox
CAG|Conagra
CPB|Campbell's|campbell soup
SJM|J.M. Smucker|smucker
TAP|Molson Coors
BF.B|Brown-Forman B|brown forman,jack daniels
BF.A|Brown-Forman A
CASY|Casey's|caseys general stores
ELF|e.l.f. Beauty|elf beauty
CELH|Celsius|celsius holdings
BYND|Beyond Meat
BUD|Anheuser-Busch InBev|ab inbev,budweiser
DEO|Diageo
UL|Unilever
BTI|British American Tobacco
ACI|Albertsons
BJ|BJ's Wholesale
SFM|Sprouts Farmers Market
USFD|US Foods
`;
