import { AUTO_ROLLBACK, GIVEN_UP } from '../../objects/deploymentAnnotations.ts';
import type { Deployment } from '../../objects/kinds.ts';

/** What an automatic rollback leaves in the Deployment's annotation, so that it is known after any crash and is not done twice. */
export interface GivenUp {
  /** The hash of the template that was given up on. */
  readonly template: string;
  /** The hash of the template that the Deployment went back to. */
  readonly instead: string;
  /** What the condition says. */
  readonly message: string;
}

/** The record in the Deployment's annotation; `undefined` if there is none, or none that can be read. */
export function givenUpOf(deployment: Deployment): GivenUp | undefined {
  const text = deployment.metadata.annotations?.[GIVEN_UP];
  return text === undefined ? undefined : parseGivenUp(text);
}

export function parseGivenUp(text: string): GivenUp | undefined {
  try {
    const { template, instead, message } = JSON.parse(text) as Partial<Record<keyof GivenUp, unknown>>;
    const readable = typeof template === 'string' && typeof instead === 'string' && typeof message === 'string';
    return readable ? { template, instead, message } : undefined;
  } catch {
    // Somebody else wrote it; it then says nothing.
    return undefined;
  }
}

/** The Deployment with, or without, such a record. */
export function withGivenUp(deployment: Deployment, givenUp: GivenUp | undefined): Deployment {
  const { [GIVEN_UP]: _, ...others } = deployment.metadata.annotations ?? {};
  const annotations = { ...others, ...(givenUp && { [GIVEN_UP]: JSON.stringify(givenUp) }) };
  return { ...deployment, metadata: { ...deployment.metadata, annotations } };
}

/** Automatic rollback is off unless asked for. */
export function isAutoRollbackOn(deployment: Deployment): boolean {
  return deployment.metadata.annotations?.[AUTO_ROLLBACK] === 'true';
}
