import { EC2Client } from '@aws-sdk/client-ec2';
import { afterEach, describe, expect, it } from 'vitest';
import { EmulatedEc2, type EmulatedEc2Options } from '../../../infra/emulation/services/EmulatedEc2.ts';
import { Ec2InstanceNames } from '../../../lambdas/adapters/aws/Ec2InstanceNames.ts';

const RUNNING = 'i-0123456789abcdef0';
const TERMINATED = 'i-0123456789abcdef1';
const INSTANCES = [
  { id: RUNNING, privateDnsName: 'IP-10-0-1-5.ec2.internal' },
  { id: TERMINATED, privateDnsName: '' },
];

let ec2: EmulatedEc2;
afterEach(() => ec2.close());

async function open(change: Partial<EmulatedEc2Options> = {}): Promise<Ec2InstanceNames> {
  ec2 = await EmulatedEc2.open({ instances: INSTANCES, isPermitted: () => true, ...change });
  const credentials = { accessKeyId: 'AuthorizeFunction', secretAccessKey: 'x' };
  return new Ec2InstanceNames(
    new EC2Client({ endpoint: ec2.endpoint, region: 'eu-central-1', credentials, maxAttempts: 1 }),
  );
}

describe('the private DNS name of an instance', () => {
  it('is the instance’s own, in lower case, and is asked for once', async () => {
    const names = await open();
    expect(await names.privateDnsNameOf(RUNNING)).toBe('ip-10-0-1-5.ec2.internal');
    expect(await names.privateDnsNameOf(RUNNING)).toBe('ip-10-0-1-5.ec2.internal');
    expect(ec2.asked).toBe(1);
  });

  it.each([
    ['is unknown', 'i-0123456789abcdef2'],
    ['was terminated', TERMINATED],
  ])('is absent if the instance %s, and is asked for again', async (_, id) => {
    const names = await open();
    expect(await names.privateDnsNameOf(id)).toBeUndefined();
    expect(await names.privateDnsNameOf(id)).toBeUndefined();
    expect(ec2.asked).toBe(2);
  });

  it('rejects if EC2 refuses to say', async () => {
    const asked: string[] = [];
    const names = await open({
      isPermitted: (...question) => {
        asked.push(question.join(' '));
        return false;
      },
    });
    await expect(names.privateDnsNameOf(RUNNING)).rejects.toThrow('not authorized');
    expect(asked).toEqual(['AuthorizeFunction ec2:DescribeInstances *']);
  });
});
