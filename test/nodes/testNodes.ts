import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { layerPrograms } from '../support/layerPrograms.ts';
import { Containerd } from './real/Containerd.ts';
import { findNodePrograms } from './real/findNodePrograms.ts';
import { NodeTrial } from './real/NodeTrial.ts';

/** `npm run test:nodes`: a real kubelet and containerd run pods of this control plane. Where a part is missing, it says so in one line and ends with code 0. */
async function testNodes(): Promise<void> {
  const programs = findNodePrograms(process.env);
  if ('missing' in programs) return console.log(`test:nodes is skipped: ${programs.missing}`);
  // Overlay file systems cannot be made on some that hold /tmp, such as another overlay.
  const folder = mkdtempSync(join('/var/tmp', 'driftless-node-'));
  console.log(`the logs are in ${folder}`);
  const containerd = await step('containerd has the image', () => Containerd.start(programs, folder));
  try {
    await step('a container runs', () => containerd.run('driftless-trial', '/bin/echo', 'hello'));
    const kubectl = layerPrograms()?.kubectl ?? 'kubectl';
    const trial = await step('the kubelet joins', () => NodeTrial.start(programs.kubelet, kubectl, containerd, folder));
    try {
      await step('ten pods run', () => trial.runPods());
      await step('a probe restarts a container', () => trial.restartSickContainer());
      await step('a roll goes on after the control plane has died', () => trial.rollOverRestart());
      await step('a kubelet is lost, and comes back', () => trial.loseKubelet());
      await step('the pods end', () => trial.removePods());
    } finally {
      await trial.stop();
    }
  } finally {
    await containerd.stop();
  }
}

async function step<T>(name: string, run: () => Promise<T>): Promise<T> {
  const beganMs = performance.now();
  const result = await run();
  console.log(`${name} (${((performance.now() - beganMs) / 1000).toFixed(1)} s)`);
  return result;
}

await testNodes();
