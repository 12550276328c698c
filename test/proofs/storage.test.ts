import { storage } from "./storage.ts";
import { testProof } from "./test-proof.ts";

testProof(storage);
