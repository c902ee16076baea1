"""The default policy as a practitioner meets it: the first proposal of a process, and the steps as data grow."""
