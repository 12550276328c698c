import { proves } from "./proves.ts";
import { secrets } from "./secrets.ts";

proves(secrets);
