import { audit } from "./audit.ts";
import { proves } from "./proves.ts";

proves(audit);
