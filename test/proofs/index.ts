import { access } from "./access.ts";
import { admission } from "./admission.ts";
import { agents } from "./agents.ts";
import { audit } from "./audit.ts";
import { clock } from "./clock.ts";
import { consistency } from "./consistency.ts";
import { corruption } from "./corruption.ts";
import { deliveries } from "./deliveries.ts";
import { direct } from "./direct.ts";
import { failover } from "./failover.ts";
import { fairness } from "./fairness.ts";
import { finite } from "./finite.ts";
import { fuzz } from "./fuzz.ts";
import { kill } from "./kill.ts";
import { ledger } from "./ledger.ts";
import { once } from "./once.ts";
import { orders } from "./orders.ts";
import type { Proof } from "./proof.ts";
import { quota } from "./quota.ts";
import { receipts } from "./receipts.ts";
import { repeats } from "./repeats.ts";
import { secrets } from "./secrets.ts";
import { shutdown } from "./shutdown.ts";
import { storage } from "./storage.ts";
import { streams } from "./streams.ts";
import { symbols } from "./symbols.ts";

/** All proofs. */
export const PROOFS: readonly Proof[] = [
  access,
  admission,
  secrets,
  fuzz,
  direct,
  quota,
  streams,
  corruption,
  storage,
  fairness,
  clock,
  kill,
  shutdown,
  symbols,
  failover,
  orders,
  once,
  ledger,
  audit,
  repeats,
  receipts,
  finite,
  consistency,
  deliveries,
  agents,
];
