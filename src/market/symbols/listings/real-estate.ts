/** Real estate stocks, one a line: `TICKER|name|alias,alias`. */
export const REAL_ESTATE = `
PLD|Prologis|pro logis
AMT|American Tower|american towers
EQIX|Equinix
WELL|Welltower
SPG|Simon Property
DLR|Digital Realty
PSA|Public Storage
O|Realty Income|realty income corp
CCI|Crown Castle
CBRE|CBRE
CSGP|CoStar
VICI|VICI Properties
EXR|Extra Space Storage
AVB|AvalonBay
EQR|Equity Residential
IRM|Iron Mountain
SBAC|SBA Communications
VTR|Ventas
WY|Weyerhaeuser
INVH|Invitation Homes
ESS|Essex Property
MAA|Mid-America Apartment
KIM|Kimco
REG|Regency Centers
FRT|Federal Realty
DOC|Healthpeak
UDR|UDR
CPT|Camden Property
HST|Host Hotels
BXP|BXP|boston properties
ARE|Alexandria Real Estate
OPEN|Opendoor
LTC|LTC Properties
SUI|Sun Communities
COMP|Compass
MPT|Medical Properties Trust
WPC|W. P. Carey
`;
