/** The runtimes of Lambda that the functions may have. The first is the default. The container's image has that one's major version. */
export const RUNTIMES = ['nodejs24.x', 'nodejs22.x'] as const;

export type NodeRuntime = (typeof RUNTIMES)[number];

export const DEFAULT_RUNTIME: NodeRuntime = RUNTIMES[0];
