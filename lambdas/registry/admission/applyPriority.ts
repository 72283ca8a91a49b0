import type { PodSpec } from 'kubernetes-types/core/v1.js';
import type { ApiError } from '../../objects/ApiError.ts';
import { forbidden } from '../../objects/apiErrors.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { RegistryContext } from '../RegistryContext.ts';
import { PRIORITY_CLASSES, type PriorityClass, SYSTEM_PRIORITY_CLASSES } from '../resources/priorityClasses.ts';

/** What a pod takes from its class. */
interface Priority {
  /** The name of the global default, for a pod that names no class. */
  readonly defaultName?: string;
  readonly value: number;
  readonly preemptionPolicy: string;
}

const NO_CLASS: Priority = { value: 0, preemptionPolicy: 'PreemptLowerPriority' };

/**
 * Priority for a new pod: sets its priority from its class, or from the class that is the global default. One read for a pod that names a class of the user's; for a pod that names none, the
 * classes are read, and remembered. Changes the draft.
 */
export async function applyPriority(context: RegistryContext, draft: KubernetesObject): Promise<ApiError | undefined> {
  const spec = draft['spec'] as PodSpec | undefined;
  // Validation refuses a pod without a spec.
  if (spec === undefined) return undefined;
  const className = spec.priorityClassName ?? '';
  const priority = className === '' ? await defaultPriority(context) : await priorityOf(context, className);
  const refused = (why: string) => forbidden('pods', nameOf(draft), why);
  if (!priority) return refused(`no PriorityClass with name ${className} was found`);
  const clash = clashWith(spec, priority);
  if (clash !== undefined) return refused(clash);
  if (priority.defaultName !== undefined) spec.priorityClassName = priority.defaultName;
  spec.priority = priority.value;
  spec.preemptionPolicy ??= priority.preemptionPolicy;
  return undefined;
}

async function defaultPriority({ admission, catalog }: RegistryContext): Promise<Priority> {
  const found = catalog.builtInEntry(PRIORITY_CLASSES) && (await admission.globalDefault());
  if (!found) return NO_CLASS;
  const { metadata, value, preemptionPolicy = NO_CLASS.preemptionPolicy } = found;
  return { defaultName: metadata.name, value, preemptionPolicy };
}

/** Priority for a new or a changed class: only one can be the global default. One list for such a class. */
export async function checkGlobalDefault(
  { objectStore }: RegistryContext,
  draft: KubernetesObject,
  old?: KubernetesObject,
): Promise<ApiError | undefined> {
  if ((draft as PriorityClass).globalDefault !== true) return undefined;
  const { items } = await objectStore.list<PriorityClass>(PRIORITY_CLASSES, { namespace: '' });
  const other = items.find(
    ({ metadata, globalDefault }) => globalDefault === true && metadata.name !== old?.metadata.name,
  );
  if (!other) return undefined;
  const why = `PriorityClass ${other.metadata.name} is already marked as default. Only one default can exist`;
  return forbidden(PRIORITY_CLASSES, nameOf(draft), why);
}

function nameOf({ metadata }: KubernetesObject): string {
  return metadata.name || metadata.generateName || 'Unknown';
}

/** The system's classes never change, and need not be read. */
async function priorityOf({ objectStore }: RegistryContext, name: string): Promise<Priority | undefined> {
  const system = SYSTEM_PRIORITY_CLASSES.find(({ metadata }) => metadata.name === name);
  const found = system ?? (await objectStore.get({ resource: PRIORITY_CLASSES, namespace: '', name }));
  return found && { ...NO_CLASS, ...(found as unknown as Priority) };
}

/** A client may repeat what the class says, and nothing else. */
function clashWith(spec: PodSpec, { value, preemptionPolicy }: Priority): string | undefined {
  const computed = 'priority admission controller computed';
  if (spec.priority !== undefined && spec.priority !== value)
    return `the integer value of priority (${spec.priority}) must not be provided in pod spec; ${computed} ${value} from the given PriorityClass name`;
  if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== preemptionPolicy)
    return `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec; ${computed} ${preemptionPolicy} from the given PriorityClass name`;
  return undefined;
}
