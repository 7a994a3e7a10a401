"""How play may have come to where a viewer sees it: courses that agree with everything that he observed."""
