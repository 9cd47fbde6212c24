CREATE TABLE "sign_in_secrets" (
	"secret" text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
INSERT INTO "sign_in_secrets" VALUES (gen_random_uuid()::text || gen_random_uuid()::text);--> statement-breakpoint
-- contract 2026-11-23: issued_grants, unread since this version; there is no release before it
DROP TABLE "issued_grants";--> statement-breakpoint
-- contract 2026-11-23: orders_client_id, one client id per key; no release before this version relies on it
ALTER TABLE "orders" DROP CONSTRAINT "orders_client_id";--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "without_token" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "anonymous" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "orders_client_id_of_owner" ON "orders" USING btree ("api_key_id","client_id","owner_address","anonymous");