/**
 * What `/version` answers. Clients decide by it what they may ask for, and some choose the client binary by it, so it names the Kubernetes release whose
 * API this server speaks.
 */
export const serverVersion = {
  major: '1',
  minor: '32',
  gitVersion: 'v1.32.4+driftless',
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: '',
  platform: 'linux/amd64',
} as const;
