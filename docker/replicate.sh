#!/bin/bash
# Makes each of REPLICAS follow PRIMARY, and waits until it holds all that the primary holds now. A replica that
# follows already is left as it is, so this may be run again any time. For compose.scale.yaml. All servers listen on
# MYSQL_TCP_PORT (3306); a replica has CATCH_UP_SECONDS (60) to hold all.
set -euo pipefail

client() { # host, options
  MYSQL_PWD=$ROOT_PASSWORD mysql --host="$1" --user=root "${@:2}"
}

ask() { # host, statements
  client "$1" --batch --skip-column-names --execute="$2"
}

ask "$PRIMARY" "
  CREATE USER IF NOT EXISTS replicator@'%' IDENTIFIED BY '$REPLICATION_PASSWORD' REQUIRE SSL;
  GRANT REPLICATION SLAVE ON *.* TO replicator@'%'"

for replica in $REPLICAS; do
  known=$(ask "$replica" 'SELECT COUNT(*) FROM performance_schema.replication_connection_configuration')
  if [ "$known" = 0 ]; then
    # A retry count of 0 is one without end: it asks for its primary again every second.
    ask "$replica" "
      CHANGE REPLICATION SOURCE TO SOURCE_HOST = '$PRIMARY', SOURCE_USER = 'replicator',
        SOURCE_PORT = ${MYSQL_TCP_PORT:-3306}, SOURCE_PASSWORD = '$REPLICATION_PASSWORD', SOURCE_AUTO_POSITION = 1,
        SOURCE_SSL = 1, SOURCE_CONNECT_RETRY = 1, SOURCE_RETRY_COUNT = 0"
  fi
  # No user writes into a replica, not even root.
  ask "$replica" 'START REPLICA; SET PERSIST super_read_only = ON'
done

executed=$(ask "$PRIMARY" "SELECT REPLACE(@@GLOBAL.gtid_executed, '\n', '')")
for replica in $REPLICAS; do
  if [ "$(ask "$replica" "SELECT WAIT_FOR_EXECUTED_GTID_SET('$executed', ${CATCH_UP_SECONDS:-60})")" != 0 ]; then
    echo "$replica does not follow $PRIMARY:"
    # An option instead of \G: the client of MySQL 9.7 takes no commands of its own by default.
    client "$replica" --vertical --execute='SHOW REPLICA STATUS'
    exit 1
  fi
  echo "$replica holds all that $PRIMARY holds."
done
