import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import { isRecent, type Moment, momentOf } from '../../ports/Clock.ts';
import { ConfiguredObjects, type ConfiguredObjectsParts } from '../../registry/admission/dynamic/ConfiguredObjects.ts';
import { type FlowControlObjects, type FlowSchema, orderFlowControl, type PriorityLevel } from './classifyRequest.ts';
import { DEFAULT_FLOWS, DEFAULT_LEVELS } from './defaultFlowControl.ts';

export const FLOW_SCHEMAS: GroupResource = 'flowschemas.flowcontrol.apiserver.k8s.io';
export const PRIORITY_LEVELS: GroupResource = 'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io';
export const FLOWCONTROL_VERSION = 'flowcontrol.apiserver.k8s.io/v1';

/** The mandatory objects count even where somebody has deleted them, so that each request has a level and administrators are never limited. */
const MANDATORY = ['exempt', 'catch-all'];

type StoredSchema = KubernetesObject & FlowSchema;
type StoredLevel = KubernetesObject & PriorityLevel;

interface FlowControlConfigurationParts extends ConfiguredObjectsParts {
  /** Writes a line of the server's log. */
  readonly report: (line: Readonly<Record<string, unknown>>) => void;
}

/**
 * The schemas and levels by which requests are classified, read now and then. What cannot be read stops no request: for as long as a list may be used again those that were read last count, or those that a cluster has from the
 * start. Otherwise one object that cannot be decoded would lock everybody out, even who could delete it.
 */
export class FlowControlConfiguration {
  readonly #parts: FlowControlConfigurationParts;
  readonly #schemas: ConfiguredObjects<StoredSchema, FlowSchema>;
  readonly #levels: ConfiguredObjects<StoredLevel, PriorityLevel>;
  /** What was made of the two lists that were read last. */
  #made: { readonly from: readonly unknown[]; readonly objects: FlowControlObjects } | undefined;
  #failedAt: Moment | undefined;

  constructor(parts: FlowControlConfigurationParts) {
    this.#parts = parts;
    this.#schemas = new ConfiguredObjects(parts, FLOW_SCHEMAS, (schema: StoredSchema) => schema);
    this.#levels = new ConfiguredObjects(parts, PRIORITY_LEVELS, (level: StoredLevel) => level);
  }

  /** Never rejects. */
  async read(): Promise<FlowControlObjects> {
    const { clock, rememberMs = 0, report } = this.#parts;
    if (this.#failedAt && isRecent(clock, this.#failedAt, rememberMs)) return this.#lastKnown();
    try {
      return await this.#readNow();
    } catch (error) {
      this.#failedAt = momentOf(clock);
      report({ level: 'error', msg: 'flow schemas and priority levels cannot be read', error });
      return this.#lastKnown();
    }
  }

  #lastKnown(): FlowControlObjects {
    return this.#made?.objects ?? completeFlowControl([], []);
  }

  async #readNow(): Promise<FlowControlObjects> {
    const [schemas, levels] = await Promise.all([this.#schemas.list(), this.#levels.list()]);
    const known = this.#made;
    if (known?.from[0] === schemas && known.from[1] === levels) return known.objects;
    const objects = completeFlowControl(schemas, levels);
    this.#made = { from: [schemas, levels], objects };
    return objects;
  }
}

/** Returns the stored schemas and levels with the mandatory ones; before the first was written, with all that a cluster has from the start. Pure. */
export function completeFlowControl(
  schemas: readonly FlowSchema[],
  levels: readonly PriorityLevel[],
): FlowControlObjects {
  return orderFlowControl(complete(schemas, DEFAULT_FLOWS), complete(levels, DEFAULT_LEVELS));
}

function complete<T extends { readonly metadata: { readonly name: string } }>(
  stored: readonly T[],
  specs: Readonly<Record<string, object>>,
): readonly T[] {
  const names = new Set(stored.map(({ metadata }) => metadata.name));
  const isMissing = (name: string) => (stored.length === 0 || MANDATORY.includes(name)) && !names.has(name);
  const missing = Object.entries(specs).filter(([name]) => isMissing(name));
  return [...stored, ...missing.map(([name, spec]) => ({ metadata: { name }, spec }) as unknown as T)];
}
