import { describe, expect, it } from 'vitest';
import { hasKubectl } from '../support/kubectl.ts';
import { kubectlServer } from '../support/kubectlServer.ts';

describe.skipIf(!hasKubectl)('kubectl', () => {
  const { inNamespace } = kubectlServer();

  it(
    'gives a Service its address and node port, refuses both to another one, and changes its type back and forth',
    inNamespace('services', async ({ says, fails, rows }) => {
      expect(await says('create service nodeport web --tcp=80:8080 --node-port=30180')).toBe('service/web created\n');
      const clusterIp = await says("get service web -o jsonpath='{.spec.clusterIP}'");
      expect(await rows(`get ipaddress ${clusterIp}`)).toEqual([
        expect.stringMatching(new RegExp(`^${clusterIp}\\s+services/[\\w-]+/web\\s`)),
      ]);
      expect(await fails('create service nodeport other --tcp=80:8080 --node-port=30180')).toContain(
        'Service "other" is invalid: spec.ports[0].nodePort: Invalid value: 30180: provided port is already allocated',
      );
      expect(await fails(`create service clusterip other --tcp=80:8080 --clusterip=${clusterIp}`)).toContain(
        `spec.clusterIPs: Invalid value: ["${clusterIp}"]: failed to allocate IP ${clusterIp}: provided IP is already allocated`,
      );
      await says(`patch service web -p '{"spec":{"type":"ClusterIP"}}'`);
      expect(await rows('get service web')).toEqual([
        expect.stringMatching(new RegExp(`^web\\s+ClusterIP\\s+${clusterIp}\\s+<none>\\s+80/TCP\\s`)),
      ]);
      expect(await says('create service nodeport other --tcp=80:8080 --node-port=30180')).toBe(
        'service/other created\n',
      );
      await says('delete service web');
      expect(await fails(`get ipaddress ${clusterIp}`)).toContain('not found');
    }),
    120_000,
  );
});
