import { access } from "./access.ts";
import { proves } from "./proves.ts";

proves(access);
