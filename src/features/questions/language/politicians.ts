/** Members of Congress whose trades are much asked about, by names that are no other words, as the source of a pattern in small letters. */
export const POLITICIANS = [
  "pelosi|tuberville|crenshaw|gottheimer|mccaul|ocasio[- ]cortez|aoc|mcconnell|schumer|wyden|khanna|taylor greene|mullin|hawley",
  "fetterman|boozman|capito|moskowitz|mcclain|wasserman schultz|bresnahan|meuser|gaetz|jeffries|massie|murkowski",
  "ted cruz|elizabeth warren|bernie sanders|rick scott|kevin hern|nancy mace|lindsey graham|susan collins|sheldon whitehouse|mark warner",
  "adam schiff|ilhan omar|jim jordan|rand paul|mitt romney|mike johnson|tim moore|cleo fields|byron donalds|john thune|gary peters",
].join("|");
