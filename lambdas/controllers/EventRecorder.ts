import type { KubernetesObject } from '../objects/KubernetesObject.ts';
import type { GuardedRegistry } from './guardWrites.ts';

/** One thing to tell the user about an object: `Normal`/`Warning`, a CamelCase reason, a sentence. */
export interface EventToRecord {
  readonly regarding: KubernetesObject;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** The part of the object that it is about: `spec.containers{web}`. */
  readonly fieldPath?: string;
  /** The node on which the one stands who tells it. */
  readonly host?: string | undefined;
}

/**
 * Writes core/v1 Events as client-go's recorder does: the same event again counts up, similar ones are combined, chatty sources are limited. An event that cannot be
 * written is dropped: no sync fails for an event's sake.
 */
export interface EventRecorder {
  /** Writes through the registry of the sync whose events they are, which refuses to after the sync's deadline. */
  record(events: readonly EventToRecord[], registry: GuardedRegistry): Promise<void>;
}
