import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { ServerAddress } from '../../lambdas/functions/resync/restoreKubernetesService.ts';

/** Where pods reach a server that speaks HTTPS and listens on the address; `undefined` if that is nowhere. The Service `kubernetes` is of IPv4, and so are its endpoints. */
export function podsAddress(address: string | undefined, port: number): ServerAddress | undefined {
  const host = address === '0.0.0.0' || address === '::' ? outerAddress() : address;
  return host === undefined || isIP(host) !== 4 || host.startsWith('127.') ? undefined : { ip: host, port };
}

/** The first address of this machine that is not its loopback. */
export function outerAddress(): string | undefined {
  const all = Object.values(networkInterfaces()).flatMap((some) => some ?? []);
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
}
