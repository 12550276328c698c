/** Communication services stocks, one a line: `TICKER|name|alias,alias`. */
export const COMMUNICATION = `
GOOGL|Alphabet A|google,alphabet,youtube,google parent,alphabet inc
GOOG|Alphabet C|google class c
META|Meta Platforms|facebook,meta,instagram,whatsapp,fb,meta platforms inc,zuckerbergs company,facebook parent,zucks company,mark zuckerbergs company
NFLX|Netflix|netflix inc
DIS|Walt Disney|disney,mouse house,house of mouse,walt disney company,disney plus
T|AT&T|att,at and t
VZ|Verizon
TMUS|T-Mobile US|t-mobile,tmobile
CMCSA|Comcast
CHTR|Charter Communications|charter,spectrum
WBD|Warner Bros. Discovery|warner bros,hbo
PSKY|Paramount Skydance|paramount
EA|Electronic Arts
TTWO|Take-Two Interactive|take-two,rockstar games
LYV|Live Nation|ticketmaster
TKO|TKO Group|wwe,ufc
FOXA|Fox A|fox
FOX|Fox B
NWSA|News Corp A|news corp
NWS|News Corp B
OMC|Omnicom
TTD|The Trade Desk|trade desk
APP|AppLovin
SPOT|Spotify
SNAP|Snap|snapchat
PINS|Pinterest
RDDT|Reddit
RBLX|Roblox
ROKU|Roku
BIDU|Baidu
NTES|NetEase
BILI|Bilibili
SE|Sea Limited|sea,shopee
AMC|AMC Entertainment
DJT|Trump Media|truth social
ECHO|EchoStar|dish network
LUMN|Lumen Technologies
ZG|Zillow A
Z|Zillow C|zillow
MTCH|Match Group|tinder
SIRI|SiriusXM|sirius
ASTS|AST SpaceMobile
IQ|iQIYI
WMG|Warner Music
VOD|Vodafone
NYT|New York Times
`;
