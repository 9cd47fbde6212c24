#!/bin/sh
# Creates what the compose file needs: database passwords, URLs and certificate, and empty files for
# your keys. Existing files are kept.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir -p secrets
cd secrets

keep() { # keep <file> <command…>: what the command prints becomes the file
  file=$1
  shift
  [ -s "$file" ] || "$@" > "$file"
}

password() { openssl rand -hex 24 | tr -d '\n'; }
url() { printf 'postgres://%s:%s@postgres:5432/crossbook?sslmode=verify-full&sslrootcert=/run/secrets/database_ca' "$1" "$(cat "$2")"; }

keep database_owner_password password
keep database_owner_url url crossbook database_owner_password
for role in web processor notifications operator; do
  keep "database_${role}_password" password
  keep "database_${role}_url" url "crossbook_$role" "database_${role}_password"
done
# Encrypts what owners save in browsers.
keep saved_items_keys openssl rand -base64 32

if [ ! -s database_ca ]; then
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 \
    -subj '/CN=Crossbook database authority' -keyout database_ca_key -out database_ca 2> /dev/null
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj '/CN=postgres' \
    -keyout database_server_key -out request 2> /dev/null
  printf 'subjectAltName=DNS:postgres\n' > extensions
  openssl x509 -req -in request -CA database_ca -CAkey database_ca_key -CAcreateserial -days 825 \
    -extfile extensions -out database_server_certificate 2> /dev/null
  rm -f request extensions database_ca.srl
fi

missing=
for key in jwt_signing_keys publishable_key chain_rpc_url operator_keys venue_key_id venue_key; do
  [ -e "$key" ] || : > "$key"
  [ -s "$key" ] || missing="$missing $key"
done

# Containers run as user 10001, except the database.
if [ "$(id -u)" = 0 ]; then
  chown 10001:10001 ./*
  chmod 400 ./*
  chmod 444 database_server_certificate database_ca
else
  chmod 444 ./*
  chmod 700 .
  echo 'Not run as root: the folder is yours alone, and its files are readable inside the containers.'
fi
[ -z "$missing" ] || echo "Still empty, fill them in:$missing"
