import type { KubernetesObject } from '../objects/KubernetesObject.ts';
import type { GuardedRegistry } from './GuardedWriters.ts';

/** An event about an object: `Normal` or `Warning`, a reason in CamelCase, and a sentence. */
export interface EventToRecord {
  readonly regarding: KubernetesObject;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** The part of the object that the event is about: `spec.containers{web}`. */
  readonly fieldPath?: string;
  /** The node of the component that sends the event. */
  readonly host?: string | undefined;
}

/**
 * Writes core/v1 Events as client-go's recorder does: the same event again counts up, similar events are combined, and each source is limited. An event that cannot be written is dropped: no
 * sync fails because of an event.
 */
export interface EventRecorder {
  /** Writes the events through the given registry, which is that of the sync that reports them. After the sync's deadline they are dropped. */
  record(events: readonly EventToRecord[], registry: GuardedRegistry): Promise<void>;
}
