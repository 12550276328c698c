import { jobs } from "./jobs.ts";
import { testProof } from "./test-proof.ts";

testProof(jobs);
