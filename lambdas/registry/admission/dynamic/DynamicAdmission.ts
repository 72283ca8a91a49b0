import type { ApiError } from '../../../objects/ApiError.ts';
import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import type { GroupResource } from '../../../objects/ObjectKey.ts';
import type { AdmissionAttributes } from './AdmissionAttributes.ts';

/** What mutating admission made of an object: the object, which may be the given one, or why it is refused. A deletion has no object. */
export type Mutation =
  | { readonly status: 'admitted'; readonly object: KubernetesObject | undefined }
  | { readonly status: 'refused'; readonly error: ApiError };

/** Applies the server's own admission (defaults, limit ranges, priorities) again to an object that webhooks have changed. Changes the draft. */
export type Readmit = (draft: KubernetesObject) => Promise<ApiError | undefined>;

/** One plugin of dynamic admission: it asks what users have configured. */
export interface AdmissionPlugin {
  /** Changes `attributes.object`, before it is validated; asked of deletions, too, as Kubernetes does. Absent: the plugin changes nothing. */
  mutate?(attributes: AdmissionAttributes, readmit: Readmit): Promise<Mutation>;
  /** Refuses a request whose object has been validated. Absent: the plugin refuses nothing. */
  validate?(attributes: AdmissionAttributes): Promise<ApiError | undefined>;
  /** Called after this process has written an object of this resource: what was remembered of it is stale. */
  forget(resource: GroupResource): void;
  /** True if it is known at once that nothing is configured, so that the plugin would admit everything. Absent: it has to be asked. */
  isIdle?(): boolean;
}

/** What users have configured to admit or change requests: webhooks and policies. */
export interface DynamicAdmission {
  mutate(attributes: AdmissionAttributes, readmit: Readmit): Promise<Mutation>;
  validate(attributes: AdmissionAttributes): Promise<ApiError | undefined>;
  forget(resource: GroupResource): void;
  /** True if it is known at once that nothing is configured: then a write need not be described to the plugins. */
  isIdle(): boolean;
}

const GROUP = 'admissionregistration.k8s.io';
/** Other resources of the group would be asked about: only these could lock everybody out. */
const EXEMPT = new Set<GroupResource>(
  [
    'mutatingwebhookconfigurations',
    'validatingwebhookconfigurations',
    'mutatingadmissionpolicies',
    'mutatingadmissionpolicybindings',
    'validatingadmissionpolicies',
    'validatingadmissionpolicybindings',
  ].map((plural) => `${plural}.${GROUP}`),
);

/**
 * Asks the plugins in their order. A mutating plugin sees what those before it have changed. The first refusal decides. Nobody is asked about the
 * configurations of webhooks and policies themselves: a wrong one could never be repaired.
 */
export function createDynamicAdmission(plugins: readonly AdmissionPlugin[]): DynamicAdmission {
  const isExempt = ({ entry }: AdmissionAttributes) => EXEMPT.has(entry.groupResource);
  return {
    async mutate(attributes, readmit) {
      let { object } = attributes;
      for (const plugin of isExempt(attributes) ? [] : plugins) {
        const mutation = await plugin.mutate?.({ ...attributes, object }, readmit);
        if (mutation?.status === 'refused') return mutation;
        if (mutation) ({ object } = mutation);
      }
      return { status: 'admitted', object };
    },
    async validate(attributes) {
      for (const plugin of isExempt(attributes) ? [] : plugins) {
        const error = await plugin.validate?.(attributes);
        if (error !== undefined) return error;
      }
      return undefined;
    },
    forget(resource) {
      for (const plugin of plugins) plugin.forget(resource);
    },
    isIdle: () => plugins.every((plugin) => plugin.isIdle?.() === true),
  };
}
