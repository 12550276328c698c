/** Utilities stocks, one a line: `TICKER|name|alias,alias`. */
export const UTILITIES = `
NEE|NextEra Energy|nextera,next era,next era energy
SO|Southern Company|southern,southern co,the southern company
DUK|Duke Energy|duke
CEG|Constellation Energy
VST|Vistra
AEP|American Electric Power
SRE|Sempra
D|Dominion Energy|dominion
EXC|Exelon
PEG|Public Service Enterprise Group
XEL|Xcel Energy
ED|Consolidated Edison|con edison
ETR|Entergy
WEC|WEC Energy
PCG|PG&E|pacific gas & electric
EIX|Edison International
DTE|DTE Energy
AEE|Ameren
PPL|PPL
ES|Eversource
FE|FirstEnergy
CNP|CenterPoint Energy
CMS|CMS Energy
ATO|Atmos Energy
NI|NiSource
EVRG|Evergy
LNT|Alliant Energy
PNW|Pinnacle West
AES|AES
NRG|NRG Energy
AWK|American Water Works
TLN|Talen Energy
`;
