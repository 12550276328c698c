/** Financial stocks, one a line: `TICKER|name|alias,alias`. */
export const FINANCIALS = `
BRK.B|Berkshire Hathaway B|berkshire,berkshire hathaway,brkb,brk,berkshire b,buffetts company,warren buffetts company,buffetts conglomerate,warren buffetts conglomerate
BRK.A|Berkshire Hathaway A|brka
JPM|JPMorgan Chase|jpmorgan,jp morgan,chase,jp morgan chase,j.p. morgan chase,jamie dimons bank
V|Visa|visa inc
MA|Mastercard
BAC|Bank of America|bofa,b of a,bank of america corp
WFC|Wells Fargo
GS|Goldman Sachs|goldman
MS|Morgan Stanley
AXP|American Express|amex
C|Citigroup|citi,citibank
SCHW|Charles Schwab|schwab
BLK|BlackRock
SPGI|S&P Global
PGR|Progressive
CB|Chubb
MRSH|Marsh|marsh mclennan,marsh & mclennan,mmc
BX|Blackstone
KKR|KKR
APO|Apollo Global Management|apollo
ARES|Ares Management
ICE|Intercontinental Exchange|nyse
CME|CME Group|cme
COIN|Coinbase
HOOD|Robinhood|robinhood markets
PYPL|PayPal|venmo
XYZ|Block|square,cash app
FISV|Fiserv
FIS|Fidelity National Information Services
GPN|Global Payments
CPAY|Corpay|fleetcor
MCO|Moody's|moodys
MSCI|MSCI
NDAQ|Nasdaq Inc|nasdaq
CBOE|Cboe Global Markets|cboe
IBKR|Interactive Brokers
AON|Aon
AJG|Arthur J. Gallagher|gallagher
WTW|Willis Towers Watson
BRO|Brown & Brown
USB|US Bancorp|us bank
PNC|PNC Financial|pnc bank
TFC|Truist
COF|Capital One
SYF|Synchrony
BNY|BNY Mellon|bk,bank of new york,bank of new york mellon
STT|State Street
NTRS|Northern Trust
TROW|T. Rowe Price
BEN|Franklin Resources|franklin templeton
IVZ|Invesco
AMP|Ameriprise
RJF|Raymond James
AIG|AIG|american international group
MET|MetLife
PRU|Prudential Financial|prudential
AFL|Aflac
ALL|Allstate
TRV|Travelers
HIG|Hartford|hartford insurance
ACGL|Arch Capital
CINF|Cincinnati Financial
WRB|W. R. Berkley|berkley
L|Loews
PFG|Principal Financial
GL|Globe Life
AIZ|Assurant
ERIE|Erie Indemnity
EG|Everest Group
FDS|FactSet
JKHY|Jack Henry
MTB|M&T Bank
FITB|Fifth Third
RF|Regions Financial
CFG|Citizens Financial
KEY|KeyCorp|keybank
HBAN|Huntington Bancshares|huntington
SOFI|SoFi|sofi technologies
NU|Nu Holdings|nubank
AFRM|Affirm
UPST|Upstart
LC|LendingClub
ALLY|Ally Financial
CRCL|Circle Internet Group|circle
GLXY|Galaxy Digital
LMND|Lemonade
TOST|Toast
RKT|Rocket Companies|rocket mortgage
AXS|Axis Capital
NMR|Nomura|nomura holdings
BCH|Banco de Chile
HSBC|HSBC
UBS|UBS
DB|Deutsche Bank
BCS|Barclays
ING|ING|ing groep
SAN|Santander|banco santander
MUFG|Mitsubishi UFJ
ITUB|Itau Unibanco|itau
HDB|HDFC Bank
IBN|ICICI Bank
RY|Royal Bank of Canada
TD|Toronto-Dominion Bank|td bank
BMO|Bank of Montreal
BNS|Bank of Nova Scotia|scotiabank
MKL|Markel
CG|Carlyle|carlyle group
OWL|Blue Owl Capital
AGNC|AGNC Investment
NLY|Annaly Capital
JEF|Jefferies
LPLA|LPL Financial
WU|Western Union
`;
