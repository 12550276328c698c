/** Consumer discretionary stocks, one a line: `TICKER|name|alias,alias`. */
export const DISCRETIONARY = `
AMZN|Amazon|amazon.com,aws,bezos company,amazon web services
TSLA|Tesla|tesla motors,musks carmaker,elon musks carmaker,elons car company,musks car company,elon musks car company,elons carmaker,elon musks ev maker
HD|Home Depot|the home depot,homedepot
MCD|McDonald's|mcdonalds,mickey ds,golden arches,the golden arches,micky ds,maccas
NKE|Nike|swoosh,the swoosh
LOW|Lowe's|lowes
SBUX|Starbucks
BKNG|Booking Holdings|booking.com,priceline
TJX|TJX|tj maxx
ABNB|Airbnb
CMG|Chipotle
F|Ford|ford motor
GM|General Motors
MAR|Marriott
HLT|Hilton
ORLY|O'Reilly Automotive|oreilly
AZO|AutoZone
ROST|Ross Stores
DASH|DoorDash
RCL|Royal Caribbean
CCL|Carnival|carnival cruise
NCLH|Norwegian Cruise Line
YUM|Yum! Brands|taco bell,kfc
DRI|Darden Restaurants|olive garden
DPZ|Domino's Pizza|dominos
LULU|Lululemon
EBAY|eBay
EXPE|Expedia
TSCO|Tractor Supply
ULTA|Ulta Beauty
BBY|Best Buy
WSM|Williams-Sonoma
GPC|Genuine Parts
DECK|Deckers|ugg,hoka
RL|Ralph Lauren
TPR|Tapestry|coach
HAS|Hasbro
GRMN|Garmin
DHI|D.R. Horton
LEN|Lennar A|lennar
LEN.B|Lennar B
NVR|NVR
PHM|PulteGroup|pulte
APTV|Aptiv
LVS|Las Vegas Sands
WYNN|Wynn Resorts
MGM|MGM Resorts
CVNA|Carvana
KMX|CarMax
CZR|Caesars Entertainment|caesars
DKNG|DraftKings
PENN|Penn Entertainment
RIVN|Rivian
LCID|Lucid|lucid motors
NIO|NIO
XPEV|XPeng
LI|Li Auto
GME|GameStop
CHWY|Chewy
ETSY|Etsy
W|Wayfair
BABA|Alibaba
JD|JD.com
PDD|PDD Holdings|pinduoduo,temu
MELI|MercadoLibre|mercado libre
CPNG|Coupang
TM|Toyota
HMC|Honda
STLA|Stellantis
RACE|Ferrari
SONY|Sony
TCOM|Trip.com
VIPS|Vipshop
ONON|On Holding|on running
CROX|Crocs
UAA|Under Armour A|under armour
M|Macy's|macys
KSS|Kohl's|kohls
GAP|Gap
ANF|Abercrombie & Fitch|abercrombie
AEO|American Eagle Outfitters
URBN|Urban Outfitters
PTON|Peloton
WHR|Whirlpool
BBWI|Bath & Body Works
CAVA|Cava Group
WEN|Wendy's|wendys
DUOL|Duolingo
EDU|New Oriental
TAL|TAL Education
SKY|Champion Homes|skyline champion
TOL|Toll Brothers
BYD|Boyd Gaming
MBLY|Mobileye
QS|QuantumScape
`;
