import type { RequestBudget } from '../objects/RequestBudget.ts';
import type { Clock } from '../ports/Clock.ts';
import type { Ids } from '../ports/Ids.ts';
import type { ObjectStore } from '../ports/ObjectStore.ts';
import type { DynamicAdmission } from './admission/dynamic/DynamicAdmission.ts';
import type { AdmissionReads } from './admission/AdmissionReads.ts';
import type { QuotaCharges } from './admission/QuotaCharges.ts';
import type { ConversionWebhooks } from './customresources/conversion/ConversionWebhooks.ts';
import { storeInVersion } from './customresources/conversion/storeInVersion.ts';
import type { ResourceEntry } from './ResourceEntry.ts';
import type { ResourceCatalog } from './ResourceCatalog.ts';
import type { ServiceNetwork } from './services/ServiceNetwork.ts';

/** The parts that the registry's operations share: the store, time, randomness and the resources. */
export interface RegistryContext {
  readonly objectStore: ObjectStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly admission: AdmissionReads;
  readonly charges: QuotaCharges;
  /** Absent: nothing is asked. */
  readonly dynamicAdmission?: DynamicAdmission | undefined;
  readonly catalog: ResourceCatalog;
  /** See `RegistryParts`. */
  readonly admitsServiceAccounts?: boolean;
  /** Where Services get their addresses and ports from; absent: kubeadm's. */
  readonly serviceNetwork?: ServiceNetwork | undefined;
  /** Absent: custom objects are not converted by webhooks. */
  readonly conversions?: ConversionWebhooks | undefined;
}

/** The context of a write in the version of this entry: a webhook may have to convert what is read and stored. */
export function contextOf(context: RegistryContext, entry: ResourceEntry, budget: RequestBudget): RegistryContext {
  if (!entry.custom?.conversion) return context;
  return { ...context, objectStore: storeInVersion(context.objectStore, entry, context.conversions, budget) };
}
