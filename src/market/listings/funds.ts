/** Exchange-traded funds and trusts, one a line: `TICKER|name|alias,alias`. */
export const FUNDS = `
SPY|SPDR S&P 500 ETF|spdr,s&p 500,sp500,spx
VOO|Vanguard S&P 500 ETF
IVV|iShares Core S&P 500 ETF
QQQ|Invesco QQQ|nasdaq 100,nasdaq-100,qqqs
QQQM|Invesco Nasdaq 100 ETF
VTI|Vanguard Total Stock Market ETF|total stock market
DIA|SPDR Dow Jones Industrial Average ETF|dow jones,dow jones industrial average,djia
IWM|iShares Russell 2000 ETF|russell 2000
IJH|iShares Core S&P Mid-Cap ETF
IJR|iShares Core S&P Small-Cap ETF
MDY|SPDR S&P MidCap 400 ETF
RSP|Invesco S&P 500 Equal Weight ETF
VTV|Vanguard Value ETF
VUG|Vanguard Growth ETF
IWF|iShares Russell 1000 Growth ETF
IWD|iShares Russell 1000 Value ETF
VO|Vanguard Mid-Cap ETF
VB|Vanguard Small-Cap ETF
VT|Vanguard Total World Stock ETF
VXUS|Vanguard Total International Stock ETF
VEA|Vanguard Developed Markets ETF
VWO|Vanguard Emerging Markets ETF|emerging markets
EFA|iShares MSCI EAFE ETF
IEFA|iShares Core MSCI EAFE ETF
EEM|iShares MSCI Emerging Markets ETF
IEMG|iShares Core MSCI Emerging Markets ETF
FXI|iShares China Large-Cap ETF
KWEB|KraneShares China Internet ETF
MCHI|iShares MSCI China ETF
EWJ|iShares MSCI Japan ETF
EWZ|iShares MSCI Brazil ETF
EWY|iShares MSCI South Korea ETF
EWT|iShares MSCI Taiwan ETF
INDA|iShares MSCI India ETF
XLK|Technology Select Sector SPDR
XLF|Financial Select Sector SPDR
XLE|Energy Select Sector SPDR
XLV|Health Care Select Sector SPDR
XLI|Industrial Select Sector SPDR
XLY|Consumer Discretionary Select Sector SPDR
XLP|Consumer Staples Select Sector SPDR
XLU|Utilities Select Sector SPDR
XLB|Materials Select Sector SPDR
XLRE|Real Estate Select Sector SPDR
XLC|Communication Services Select Sector SPDR
VGT|Vanguard Information Technology ETF
SMH|VanEck Semiconductor ETF
SOXX|iShares Semiconductor ETF
XBI|SPDR S&P Biotech ETF
IBB|iShares Biotechnology ETF
KRE|SPDR S&P Regional Banking ETF
KBE|SPDR S&P Bank ETF
XOP|SPDR S&P Oil & Gas Exploration ETF
OIH|VanEck Oil Services ETF
XHB|SPDR S&P Homebuilders ETF
ITB|iShares US Home Construction ETF
XRT|SPDR S&P Retail ETF
JETS|US Global Jets ETF
ITA|iShares US Aerospace & Defense ETF
TAN|Invesco Solar ETF
ICLN|iShares Global Clean Energy ETF
LIT|Global X Lithium & Battery Tech ETF
URA|Global X Uranium ETF
BOTZ|Global X Robotics & AI ETF
VNQ|Vanguard Real Estate ETF
ARKK|ARK Innovation ETF|ark innovation
ARKG|ARK Genomic Revolution ETF
ARKW|ARK Next Generation Internet ETF
SCHD|Schwab US Dividend Equity ETF
VYM|Vanguard High Dividend Yield ETF
VIG|Vanguard Dividend Appreciation ETF
DGRO|iShares Core Dividend Growth ETF
JEPI|JPMorgan Equity Premium Income ETF
JEPQ|JPMorgan Nasdaq Equity Premium Income ETF
QYLD|Global X Nasdaq 100 Covered Call ETF
MTUM|iShares MSCI USA Momentum ETF
QUAL|iShares MSCI USA Quality ETF
USMV|iShares MSCI USA Min Vol ETF
SPYM|SPDR Portfolio S&P 500 ETF|splg
TLT|iShares 20+ Year Treasury Bond ETF|long bond
IEF|iShares 7-10 Year Treasury Bond ETF
SHY|iShares 1-3 Year Treasury Bond ETF
BIL|SPDR 1-3 Month T-Bill ETF|t-bills
SGOV|iShares 0-3 Month Treasury Bond ETF
AGG|iShares Core US Aggregate Bond ETF
BND|Vanguard Total Bond Market ETF
BSV|Vanguard Short-Term Bond ETF
LQD|iShares Investment Grade Corporate Bond ETF
HYG|iShares High Yield Corporate Bond ETF|junk bonds
JNK|SPDR High Yield Bond ETF
TIP|iShares TIPS Bond ETF
EMB|iShares Emerging Markets Bond ETF
NEAR|iShares Short Duration Bond Active ETF
GLD|SPDR Gold Shares|gold
IAU|iShares Gold Trust
GDX|VanEck Gold Miners ETF|gold miners
GDXJ|VanEck Junior Gold Miners ETF
SLV|iShares Silver Trust|silver
USO|United States Oil Fund|oil,crude oil
UNG|United States Natural Gas Fund|natural gas
DBC|Invesco DB Commodity Index Fund
UUP|Invesco DB US Dollar Index Bullish Fund|us dollar index
CPER|United States Copper Index Fund|copper
TQQQ|ProShares UltraPro QQQ
SQQQ|ProShares UltraPro Short QQQ
UPRO|ProShares UltraPro S&P 500
SPXU|ProShares UltraPro Short S&P 500
SSO|ProShares Ultra S&P 500
QLD|ProShares Ultra QQQ
SH|ProShares Short S&P 500
USD|ProShares Ultra Semiconductors
SOXL|Direxion Daily Semiconductor Bull 3X
SOXS|Direxion Daily Semiconductor Bear 3X
TNA|Direxion Daily Small Cap Bull 3X
TMF|Direxion Daily 20+ Year Treasury Bull 3X
NVDL|GraniteShares 2x Long NVDA
TSLL|Direxion Daily TSLA Bull 2X
UVXY|ProShares Ultra VIX Short-Term Futures
IBIT|iShares Bitcoin Trust
FBTC|Fidelity Wise Origin Bitcoin Fund
GBTC|Grayscale Bitcoin Trust
BITO|ProShares Bitcoin Strategy ETF
ARKB|ARK 21Shares Bitcoin ETF
ETHA|iShares Ethereum Trust
ETHE|Grayscale Ethereum Trust
BTC|Grayscale Bitcoin Mini Trust
ETH|Grayscale Ethereum Staking Mini ETF
XRP|Bitwise XRP ETF
ARB|AltShares Merger Arbitrage ETF
FLOW|Global X US Cash Flow Kings 100 ETF
GAL|SPDR Global Allocation ETF
QTUM|Defiance Quantum ETF
CUSD|CrossingBridge Ultra-Short Duration ETF
`;

/** Closed-end funds and notes that exchanges do not flag as ETFs, in the same form. */
export const CLOSED_END = `
EOS|Eaton Vance Enhanced Equity Income Fund II
LEO|BNY Mellon Strategic Municipals
BGB|Blackstone Strategic Credit 2027 Term Fund
ENJ|Entergy New Orleans First Mortgage Bonds
`;
