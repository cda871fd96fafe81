// The official clients against the example server: `TOOLCONTRACT_EXAMPLE` is the program.

import assert from "node:assert/strict";
import { test } from "node:test";

import { approve, clients, connect, decline, facts } from "./clients.mjs";

const command = process.env.TOOLCONTRACT_EXAMPLE;
assert.ok(command);

for (const [name, kind] of Object.entries(clients)) {
  test(`${name}: a note is kept, and deleted when somebody says so`, async () => {
    for (const [answer, deleted] of [[approve, true], [decline, false]]) {
      const { client, asked, close } = await connect(kind, new kind.stdio({ command }), answer);
      await client.listTools();
      const call = (tool, input) => client.callTool({ name: tool, arguments: input });
      const saved = await call("save_state", { key: "plan", content: "ship it" });
      assert.deepEqual(saved.structuredContent, { key: "plan", bytes: 7, replaced: false });
      const invalid = await call("save_state", { key: "", content: "x" });
      assert.equal(facts(invalid).class, "invalid_input");
      const gone = await call("delete_state", { key: "plan" });
      assert.equal(asked.length, 1);
      assert.match(asked[0].message, /a note that is deleted is gone/);
      if (deleted) assert.deepEqual(gone.structuredContent, { key: "plan", deleted });
      else assert.equal(facts(gone).code, "approval_refused");
      await close();
    }
  });
}
