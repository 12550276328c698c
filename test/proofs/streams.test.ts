import { streams } from "./streams.ts";
import { testProof } from "./test-proof.ts";

testProof(streams);
