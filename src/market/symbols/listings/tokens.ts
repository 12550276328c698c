/**
 * Tokens, one a line: `BASE|name|alias,alias`; a star marks the major-crypto universe, whose members win
 * their bare name over a fund of the same ticker.
 */
export const TOKENS = `
*BTC|Bitcoin|xbt,bit coin,digital gold
*ETH|Ethereum|ether
*XRP|XRP|ripple
*SOL|Solana|solana coin
*BNB|BNB|binance coin,bnb chain,binance token
*USDT|Tether|tether usdt
*USDC|USDC|usd coin
*DOGE|Dogecoin|doge,doge coin
*ADA|Cardano
*TRX|TRON
*AVAX|Avalanche
*LINK|Chainlink|chain link
*DOT|Polkadot|polka dot
*LTC|Litecoin|lite coin
*BCH|Bitcoin Cash|bcash,bitcoincash
*XLM|Stellar|stellar lumens
*SHIB|Shiba Inu|shiba,shiba coin
*NEAR|NEAR Protocol
*SUI|Sui
*HBAR|Hedera|hedera hashgraph
*TON|Toncoin
*UNI|Uniswap
*AAVE|Aave
*ETC|Ethereum Classic
*XMR|Monero
*ZEC|Zcash
*HYPE|Hyperliquid
*TAO|Bittensor
*CRO|Cronos
*DAI|Dai
*ATOM|Cosmos
*ICP|Internet Computer
*FIL|Filecoin
*PEPE|Pepe
*APT|Aptos
LEO|LEO Token|unus sed leo
POL|Polygon|matic
MATIC|Polygon (old token)
ARB|Arbitrum
OP|Optimism
INJ|Injective
SEI|Sei
TIA|Celestia
RENDER|Render
FET|Artificial Superintelligence Alliance|fetch.ai
STX|Stacks
IMX|Immutable
GRT|The Graph
ALGO|Algorand
VET|VeChain
MKR|Maker
SKY|Sky
LDO|Lido DAO|lido
QNT|Quant
SAND|The Sandbox
MANA|Decentraland
AXS|Axie Infinity
THETA|Theta Network
S|Sonic
EOS|EOS
XTZ|Tezos
NEO|Neo
KAS|Kaspa
BONK|Bonk
WIF|dogwifhat
FLOKI|Floki
TRUMP|Official Trump
ENA|Ethena
ONDO|Ondo
JUP|Jupiter
PYTH|Pyth Network
JTO|Jito
PENDLE|Pendle
CRV|Curve DAO|curve
SNX|Synthetix
COMP|Compound
YFI|yearn.finance|yearn
SUSHI|SushiSwap
1INCH|1inch
BAT|Basic Attention Token
ZRX|0x Protocol
ENJ|Enjin Coin
CHZ|Chiliz
GALA|Gala
APE|ApeCoin
DYDX|dYdX
GMX|GMX
RUNE|THORChain
KAVA|Kava
EGLD|MultiversX
FLOW|Flow
XDC|XDC Network
MINA|Mina
IOTA|IOTA
ZIL|Zilliqa
QTUM|Qtum
ONT|Ontology
DASH|Dash
DCR|Decred
ENS|Ethereum Name Service
BLUR|Blur
STRK|Starknet
ZRO|LayerZero
W|Wormhole
WLD|Worldcoin
MNT|Mantle
OKB|OKB
BGB|Bitget Token
PAXG|PAX Gold
XAUT|Tether Gold
USDE|Ethena USDe
PYUSD|PayPal USD
WLFI|World Liberty Financial
ASTER|Aster
BSV|Bitcoin SV
KSM|Kusama
CELO|Celo
AR|Arweave
HNT|Helium
ROSE|Oasis
LRC|Loopring
ANKR|Ankr
ACH|Alchemy Pay
AI|Sleepless AI
AMP|Amp
BAND|Band Protocol
BEAT|Audiera
CC|Canton
CVX|Convex Finance
DIA|DIA
EDU|Open Campus
ELF|aelf
F|SynFutures
GAL|Galxe
IP|Story
LAB|LAB
M|MemeCore
MASK|Mask Network
MOVE|Movement
NMR|Numeraire
OGN|Origin Protocol
PUMP|Pump.fun
RAIN|Rain
RARE|SuperRare
SUN|Sun
T|Threshold
TRU|TrueFi
`;
