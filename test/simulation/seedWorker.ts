import { runTask, type SeedRequest } from './runTask.ts';

process.on('message', (message) => {
  void runTask(message as SeedRequest).then((result) => process.send?.(result));
});
