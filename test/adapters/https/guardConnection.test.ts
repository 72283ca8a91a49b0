import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type AllowedHosts, guardConnection } from '../../../lambdas/adapters/https/guardConnection.ts';

const NETWORK_ONLY: AllowedHosts = { names: false, loopback: false };
const ANY_NAME: AllowedHosts = { names: true, loopback: false };
const MACHINE_TOO: AllowedHosts = { names: true, loopback: true };

/** The ways in which a text can mean this machine. */
const LOOPBACK = [
  '127.0.0.1',
  '127.255.0.3',
  '::1',
  '0::1',
  '0:0:0:0:0:0:0:1',
  '::1%lo',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '0:0:0:0:0:ffff:7f00:1',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '::ffff:0:7f00:1',
];
/** Names that the system resolves to this machine. */
const LOOPBACK_NAMES = ['localhost', '2130706433', '0x7f.1', '127.1', '017700000001'];
const NEVER = [
  '0.0.0.0',
  '::',
  '0:0::0',
  '169.254.169.254',
  '::ffff:a9fe:a9fe',
  '64:ff9b::a9fe:a9fe',
  'fd00:ec2::254',
  'fe80::1',
  'febf::1%eth0',
  '224.0.0.1',
  '255.255.255.255',
  'ff02::1',
];

/** Resolves to the error of the connection to port 9, or to the code of what the network said. */
function outcome(host: string, allowed: AllowedHosts): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ ...guardConnection(host, allowed), port: 9 });
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    socket.once('connect', () => resolve('connected'));
    socket.once('close', () => socket.destroy());
  });
}

describe('a connection to where an object says', () => {
  it.each([...LOOPBACK, ...NEVER])('does not go to %s', (host) => {
    expect(() => guardConnection(host, ANY_NAME)).toThrow('address not allowed');
  });

  it.each(NEVER)('does not go to %s either where this machine is allowed', (host) => {
    expect(() => guardConnection(host, MACHINE_TOO)).toThrow('address not allowed');
  });

  it.each([...LOOPBACK_NAMES, 'example.com', ''])('takes no name where only addresses are allowed: %j', (host) => {
    expect(() => guardConnection(host, NETWORK_ONLY)).toThrow('address not allowed');
  });

  it.each(LOOPBACK_NAMES)('does not go to this machine by the name %s', async (host) => {
    expect(await outcome(host, ANY_NAME)).toBe('address not allowed');
  });

  it.each(['127.0.0.1', 'localhost', '2130706433'])('goes to %s where this machine is allowed', async (host) => {
    expect(await outcome(host, MACHINE_TOO)).toBe('ECONNREFUSED');
  });

  it.each(['10.244.1.7', '192.168.0.1', '203.0.113.9', '2001:db8::1', 'fd12::1', '::ffff:10.0.0.1'])(
    'may go to %s',
    (host) => {
      expect(guardConnection(host, NETWORK_ONLY).host).toBe(host);
    },
  );
});
