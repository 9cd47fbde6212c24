import assert from 'node:assert/strict';
import type { Drill } from './drill.ts';
import { tradeAndRecover } from './tradeAndRecover.ts';

export const databaseRestored: Drill = {
  name: 'database-restored',
  async play(adminConsole) {
    const backup = adminConsole.file('backup');
    await tradeAndRecover(adminConsole, {
      async backUp() {
        await adminConsole.run('npm run backup -- --to <folder>', { folder: backup });
        adminConsole.say('backed up');
      },
      async restore() {
        const restored = await adminConsole.run('npm run restore -- <folder>', { folder: backup });
        assert.match(restored.output, /The database is as of/);
      },
    });
    const audit = await adminConsole.run('npm run ops -- audit database');
    assert.match(audit.output, /notice_restore/);
    assert.match(audit.output, /recover_after_restore/);
    adminConsole.say('the restore is in the audit trail, and trading resumes');
  },
};
