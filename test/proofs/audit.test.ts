import { audit } from "./audit.ts";
import { testProof } from "./test-proof.ts";

testProof(audit);
