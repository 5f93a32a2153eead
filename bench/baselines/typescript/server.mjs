// An echo server on the official TypeScript server, both eras: no session, plain JSON, no check. Its argument is the port.
import { createServer } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { McpServer, createMcpHandler } from "@modelcontextprotocol/server";
import { z } from "zod";

const inputSchema = z.object({ text: z.string() });

function make() {
  const server = new McpServer({ name: "typescript-echo", version: "1.0.0" });
  server.registerTool("echo", { description: "Send the text back", inputSchema }, async ({ text }) => ({
    content: [{ type: "text", text }],
  }));
  return server;
}

const handle = toNodeHandler(createMcpHandler(make, { legacy: "stateless", responseMode: "json" }));
createServer((request, response) => handle(request, response)).listen(Number(process.argv[2]), "127.0.0.1");
