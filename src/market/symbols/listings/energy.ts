/** Energy stocks, one a line: `TICKER|name|alias,alias`. */
export const ENERGY = `
XOM|Exxon Mobil|exxon,exxonmobil,exxon mobile
CVX|Chevron|chevron corp
COP|ConocoPhillips|conoco,conoco phillips
EOG|EOG Resources
SLB|SLB|schlumberger
MPC|Marathon Petroleum
PSX|Phillips 66
VLO|Valero
OXY|Occidental Petroleum|occidental
WMB|Williams Companies
KMI|Kinder Morgan
OKE|ONEOK
HAL|Halliburton
BKR|Baker Hughes
DVN|Devon Energy|devon
FANG|Diamondback Energy
TRGP|Targa Resources
TPL|Texas Pacific Land
EQT|EQT
EXE|Expand Energy|chesapeake energy
APA|APA|apache
AR|Antero Resources
SHEL|Shell
BP|BP|british petroleum
TTE|TotalEnergies|total
EQNR|Equinor
PBR|Petrobras
PBR.A|Petrobras Preferred
CNQ|Canadian Natural Resources
SU|Suncor
ENB|Enbridge
TRP|TC Energy
CVE|Cenovus
ET|Energy Transfer
EPD|Enterprise Products Partners
MPLX|MPLX
RIG|Transocean
CCJ|Cameco
UEC|Uranium Energy
LNG|Cheniere Energy|cheniere
SUN|Sunoco
FET|Forum Energy Technologies
PUMP|ProPetro
SEI|Solaris Energy Infrastructure
VET|Vermilion Energy
BSM|Black Stone Minerals
`;
