import { composeCloud } from '../composeCloud.ts';
import type { Cloud } from '../openCloud.ts';
import { type DirectKeys, openDirectKeys } from './DirectKeys.ts';

/** Composes what sends the keys of a process without controllers: it has them only to ask which keys a change concerns. */
export function composeDirectKeys(environment: Parameters<typeof composeCloud>[0], cloud: Cloud): DirectKeys {
  const { ports, controllers, log } = composeCloud(environment, cloud);
  return openDirectKeys({ ...ports, controllers, log });
}
