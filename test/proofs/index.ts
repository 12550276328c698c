import { access } from "./access.ts";
import { admission } from "./admission.ts";
import { agents } from "./agents.ts";
import { audit } from "./audit.ts";
import { backup } from "./backup.ts";
import { bodies } from "./bodies.ts";
import { caches } from "./caches.ts";
import { clock } from "./clock.ts";
import { consistency } from "./consistency.ts";
import { corruption } from "./corruption.ts";
import { deliveries } from "./deliveries.ts";
import { direct } from "./direct.ts";
import { failover } from "./failover.ts";
import { fairness } from "./fairness.ts";
import { finite } from "./finite.ts";
import { fuzz } from "./fuzz.ts";
import { jobs } from "./jobs.ts";
import { kill } from "./kill.ts";
import { ledger } from "./ledger.ts";
import { liar } from "./liar.ts";
import { once } from "./once.ts";
import { orders } from "./orders.ts";
import { outage } from "./outage.ts";
import type { Proof } from "./proof.ts";
import { quota } from "./quota.ts";
import { races } from "./races.ts";
import { receipts } from "./receipts.ts";
import { repeats } from "./repeats.ts";
import { secrets } from "./secrets.ts";
import { shutdown } from "./shutdown.ts";
import { signIn } from "./sign-in.ts";
import { storage } from "./storage.ts";
import { streams } from "./streams.ts";
import { supervisor } from "./supervisor.ts";
import { symbols } from "./symbols.ts";

/** All proofs. */
export const PROOFS: readonly Proof[] = [
  access,
  admission,
  secrets,
  signIn,
  fuzz,
  direct,
  quota,
  streams,
  bodies,
  caches,
  corruption,
  storage,
  fairness,
  clock,
  kill,
  jobs,
  backup,
  shutdown,
  supervisor,
  symbols,
  failover,
  liar,
  orders,
  once,
  races,
  outage,
  ledger,
  audit,
  repeats,
  receipts,
  finite,
  consistency,
  deliveries,
  agents,
];
