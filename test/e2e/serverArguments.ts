import { setTimeout as sleep } from 'node:timers/promises';
import { CONFIGURATIONS_REMEMBER_MS, DEFINITIONS_REMEMBER_MS } from '../../lambdas/functions/limits.ts';

/** The arguments of the server under test: embedded by default, or the cloud's functions with `DRIFTLESS_E2E_ARGS=--emulate-cloud`. */
export const SERVER_ARGUMENTS = (process.env['DRIFTLESS_E2E_ARGS'] ?? '--ephemeral').split(' ');

/** The same, but objects are kept after the process ends. */
export const DURABLE_ARGUMENTS = SERVER_ARGUMENTS.filter((argument) => argument !== '--ephemeral');

/** True under `npm run test:cloud`. */
export const isCloud = SERVER_ARGUMENTS.includes('--emulate-cloud');

/**
 * Resolves when no function of the emulated cloud goes by a definition, a policy or a webhook that it read before the call, and had perhaps asked for before that. Nothing tells when that is, but
 * `limits.ts` promises it. The server of one machine reads them for each request.
 */
export async function outdatedReadsForgotten(): Promise<void> {
  if (isCloud) await sleep(2 * Math.max(CONFIGURATIONS_REMEMBER_MS, DEFINITIONS_REMEMBER_MS));
}
