import type { Clock } from '../ports/Clock.ts';
import type { Ids } from '../ports/Ids.ts';
import type { ObjectStore } from '../ports/ObjectStore.ts';
import type { WebhookCaller } from '../ports/WebhookCaller.ts';
import type { AdmissionReads } from '../registry/admission/AdmissionReads.ts';
import { createDynamicAdmission, type DynamicAdmission } from '../registry/admission/dynamic/DynamicAdmission.ts';
import { createPolicyAdmission } from '../registry/admission/policies/PolicyAdmission.ts';
import {
  createMutatingWebhooks,
  createValidatingWebhooks,
} from '../registry/admission/webhooks/createWebhookAdmission.ts';
import type { PatchObject } from '../registry/admission/webhooks/mutateByWebhooks.ts';
import { ConversionWebhooks } from '../registry/customresources/conversion/ConversionWebhooks.ts';
import type { ResourceCatalog } from '../registry/ResourceCatalog.ts';
import type { ServedConfig } from './parseServedConfig.ts';

export interface WebhookParts {
  readonly objectStore: ObjectStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly webhookCaller: WebhookCaller;
  readonly catalog: ResourceCatalog;
  readonly admission: AdmissionReads;
  readonly config: Pick<ServedConfig, 'webhookServices'>;
  /** How long the configurations of webhooks and policies may be used again; milliseconds. See ConfiguredObjects. */
  readonly rememberMs: number;
}

/** What the registry and the REST API ask of users' webhooks and policies. */
export interface Webhooks {
  readonly dynamicAdmission: DynamicAdmission;
  readonly conversions: ConversionWebhooks;
}

/**
 * Creates what asks webhooks and policies. Admission asks in Kubernetes' order: webhooks that mutate, policies, webhooks that validate. The code that they need is loaded when something is configured.
 */
export function createWebhooks(parts: WebhookParts): Webhooks {
  const { admission, config, ids, webhookCaller: caller } = parts;
  const services = config.webhookServices;
  const namespace = async (name: string) => (await admission.namespace(name)).value;
  const asker = { ...parts, caller, services, namespace, patch };
  return {
    dynamicAdmission: createDynamicAdmission([
      createMutatingWebhooks(asker),
      createPolicyAdmission(asker),
      createValidatingWebhooks(asker),
    ]),
    conversions: new ConversionWebhooks({ ids, caller, services }),
  };
}

const patch: PatchObject = async (...patched) => {
  const { patchAdmitted } = await import('../rest/admission/patchAdmitted.ts');
  return patchAdmitted(...patched);
};
