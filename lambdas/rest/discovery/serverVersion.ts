/**
 * The answer to `/version`. Clients use it to decide which features they may use, and some to choose the client binary, so it names the Kubernetes release
 * whose API this server implements.
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
