import type { CloudMutation } from './CloudMutation.ts';

/** The deliberate defects of what runs on AWS, each of which the simulation must find. */
export const CLOUD_MUTATIONS: readonly CloudMutation[] = [];
