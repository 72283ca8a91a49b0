import { AUTO_ROLLBACK, GIVEN_UP } from '../../../objects/deployments/deploymentAnnotations.ts';
import type { Deployment } from '../../../objects/kinds.ts';

/** The annotation on the Deployment in which automatic rollback remembers which template it gave up on. */

/** It survives any crash, so that no rollback is done twice. */
export interface GivenUp {
  /** The hash of the template that was given up on. */
  readonly template: string;
  /** The hash of the template that the Deployment went back to. */
  readonly wentBackTo: string;
  /** The message of the condition. */
  readonly message: string;
}

/** Automatic rollback is off unless the annotation asks for it and there is a progress deadline. Without one, no failure of a rollout is ever reported. */
export function isAutoRollbackOn({ metadata }: Deployment, deadlineMs: number | undefined): boolean {
  return metadata.annotations?.[AUTO_ROLLBACK] === 'true' && deadlineMs !== undefined;
}

/** The memory in the Deployment's annotation; `undefined` if the Deployment has no such annotation, or one that cannot be read. */
export function givenUpOf(deployment: Deployment): GivenUp | undefined {
  const text = deployment.metadata.annotations?.[GIVEN_UP];
  return text === undefined ? undefined : parseGivenUp(text);
}

/** The text is JSON; stored objects have `wentBackTo` under the name `instead`. */
export function parseGivenUp(text: string): GivenUp | undefined {
  try {
    const { template, instead, message } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const readable = typeof template === 'string' && typeof instead === 'string' && typeof message === 'string';
    return readable ? { template, wentBackTo: instead, message } : undefined;
  } catch {
    // Written by someone else, so it has no meaning here.
    return undefined;
  }
}

/** The Deployment with that memory, or without any. */
export function withGivenUp(deployment: Deployment, givenUp: GivenUp | undefined): Deployment {
  const { [GIVEN_UP]: _, ...others } = deployment.metadata.annotations ?? {};
  const annotations = { ...others, ...(givenUp && { [GIVEN_UP]: encodeGivenUp(givenUp) }) };
  return { ...deployment, metadata: { ...deployment.metadata, annotations } };
}

function encodeGivenUp({ template, wentBackTo, message }: GivenUp): string {
  return JSON.stringify({ template, instead: wentBackTo, message });
}
