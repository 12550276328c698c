import { secrets } from "./secrets.ts";
import { testProof } from "./test-proof.ts";

testProof(secrets);
